// Runs operations of the n8n node. n8n makes an HTTP request of what the node declares for its parameters; this does the same.
import { once } from 'node:events'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'

type Values = Readonly<Record<string, unknown>>

interface Routing {
  readonly request?: Values
  readonly send?: { readonly preSend?: readonly PreSend[] }
  readonly output?: { readonly postReceive?: readonly PostReceive[] }
}

interface Property {
  readonly name: string
  readonly type?: string
  readonly default?: unknown
  readonly value?: unknown
  readonly values?: readonly Property[]
  readonly options?: readonly Property[]
  readonly displayOptions?: { readonly show?: Conditions; readonly hide?: Conditions }
  readonly routing?: Routing
}

type Conditions = Readonly<Record<string, readonly unknown[]>>

interface Sent {
  method?: string
  url?: string
  body?: Values
  qs?: Readonly<Record<string, string>>
}

interface Response {
  readonly statusCode: number
  readonly body: Values
}

interface Item {
  readonly json: Values
}

interface Context {
  getNodeParameter(name: string, fallback?: unknown): unknown
  getCredentials(): Promise<Values>
  readonly helpers: { httpRequestWithAuthentication(credentials: string, sent: Sent): Promise<Values> }
}

type PreSend = (this: Context, sent: Sent) => Promise<Sent>
type PostReceive = ((this: Context, items: readonly Item[], response: Response) => Promise<readonly Item[]>) | Values

interface Node {
  readonly description: {
    readonly properties: readonly Property[]
    readonly requestDefaults: { readonly body: Values }
  }
}

export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
}

/** What an operation of the node returns. */
export interface NodeResult {
  readonly status: number
  readonly json: Values
}

/** Runs an operation with the parameters that a user has set. The others have their defaults. */
export async function runN8n(credentials: Credentials, given: Values): Promise<NodeResult> {
  const { properties, requestDefaults } = loadNode().description
  const parameters = withDefaults(properties, given)
  const plan: Plan = { body: { ...requestDefaults.body }, preSend: [], postReceive: [] }
  for (const property of properties)
    if (isShown(property, parameters)) addRouting(property, parameters[property.name], plan)
  const context: Context = {
    getNodeParameter: (name, fallback) => parameters[name] ?? fallback,
    getCredentials: async () => ({ ...credentials }),
    helpers: {
      httpRequestWithAuthentication: async (_, sent) => (await send(credentials, sent)).body,
    },
  }
  let sent: Sent = {
    ...(plan.method !== undefined && { method: plan.method }),
    url: credentials.baseUrl + (plan.url ?? ''),
    body: plan.body,
  }
  for (const change of plan.preSend) sent = await change.call(context, sent)
  const response = await send(credentials, sent)
  let items: readonly Item[] = [{ json: response.body }]
  if (response.statusCode < 400)
    for (const change of plan.postReceive)
      if (typeof change === 'function') items = await change.call(context, items, response)
  return { status: response.statusCode, json: items[0]?.json ?? {} }
}

interface Plan {
  method?: string
  url?: string
  body: Record<string, unknown>
  readonly preSend: PreSend[]
  readonly postReceive: PostReceive[]
}

function addRouting(property: Property, value: unknown, plan: Plan): void {
  const { request: { method, url, body } = {}, send: sending, output } = property.routing ?? {}
  if (typeof method === 'string') plan.method = method
  if (typeof url === 'string') plan.url = String(evaluated(url, value))
  merge(plan.body, evaluated(body, value))
  plan.preSend.push(...(sending?.preSend ?? []))
  plan.postReceive.push(...(output?.postReceive ?? []))
  const inner = (value ?? {}) as Values
  for (const option of property.options ?? []) {
    // A chosen option of a list, an added field of a collection, or an added group of fields.
    if (property.type === 'options' && option.value === value) addRouting(option, value, plan)
    if (property.type === 'collection' && option.name in inner) addRouting(option, inner[option.name], plan)
    if (property.type === 'fixedCollection' && option.name in inner)
      for (const field of option.values ?? []) {
        const group = inner[option.name] as Values
        if (!Array.isArray(group) && field.name in group) addRouting(field, group[field.name], plan)
      }
  }
}

/** Evaluates strings that begin with `=`, at any depth. An expression that throws has no value, as in n8n. */
function evaluated(template: unknown, $value: unknown): unknown {
  if (typeof template === 'object' && template !== null)
    return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, evaluated(part, $value)]))
  if (typeof template !== 'string' || !template.startsWith('=')) return template
  const run = (code: string): unknown => {
    try {
      const json = JSON.stringify(runInNewContext(`(${code})`, { $value }))
      return json === undefined ? undefined : JSON.parse(json)
    } catch {
      return undefined
    }
  }
  const whole = /^=\{\{([^]*)\}\}$/.exec(template)?.[1]
  if (whole !== undefined) return run(whole)
  return template.slice(1).replaceAll(/\{\{(.*?)\}\}/g, (_, code: string) => String(run(code)))
}

function merge(target: Record<string, unknown>, from: unknown): void {
  for (const [key, value] of Object.entries((from ?? {}) as Values)) {
    const isNested = [target[key], value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
    if (isNested) merge(target[key] as Record<string, unknown>, value)
    else if (value !== undefined) target[key] = value
  }
}

function withDefaults(properties: readonly Property[], given: Values): Values {
  const parameters: Record<string, unknown> = { ...given }
  for (const property of properties)
    if (!(property.name in parameters) && property.default !== undefined && isShown(property, parameters))
      parameters[property.name] = property.default
  return parameters
}

function isShown({ displayOptions: { show = {}, hide = {} } = {} }: Property, parameters: Values): boolean {
  return (
    Object.entries(show).every(([name, values]) => values.includes(parameters[name])) &&
    !Object.entries(hide).some(([name, values]) => values.includes(parameters[name]))
  )
}

/** Sends a body with every method, as n8n does: `fetch` would not. */
async function send({ apiKey }: Credentials, { method = 'GET', url = '', body, qs = {} }: Sent): Promise<Response> {
  const target = new URL(url)
  for (const [name, value] of Object.entries(qs)) target.searchParams.set(name, value)
  const text = body && JSON.stringify(body)
  const sent = request(target, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
  })
  sent.end(text)
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { readonly statusCode: number }]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return { statusCode: response.statusCode, body: JSON.parse(Buffer.concat(parts).toString()) as Values }
}

let loaded: Node | undefined

function loadNode(): Node {
  if (loaded) return loaded
  const require = createRequire(fileURLToPath(new URL('./others/', import.meta.url)))
  const path = '@mendable/n8n-nodes-firecrawl/dist/nodes/Firecrawl/Firecrawl.node.js'
  const { Firecrawl } = require(path) as { readonly Firecrawl: new () => Node }
  loaded = new Firecrawl()
  return loaded
}
