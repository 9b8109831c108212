// Features of plugins: one method per endpoint, resolved from the server's feature list.
import { HarvestmanError } from './error.ts'
import type { Ask, Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** A schema of any library that implements Standard Schema, with its types. */
interface Schema<Input = unknown, Output = unknown> {
  readonly '~standard': { readonly types?: { readonly input: Input; readonly output: Output } | undefined }
}

interface TypedEndpoint {
  readonly path: string
  readonly input: Schema
  readonly output: Schema
}

type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}` ? [id: string, ...Ids<Rest>] : []

type TypesOf<One extends Schema> = NonNullable<One['~standard']['types']>

type Input<One extends Schema> = One extends { readonly shape: infer Shape }
  ? keyof Shape extends never
    ? []
    : GivenInput<TypesOf<One>['input']>
  : GivenInput<TypesOf<One>['input']>

type GivenInput<Given> = object extends Given ? [input?: Given] : [input: Given]

/** A file result is the `Response`, so that its body can be streamed. */
type ResultOf<Result> = Result extends { readonly bytes: unknown; readonly mediaType: string } ? Response : Result

type MethodOf<One extends TypedEndpoint> = (
  ...given: [...Ids<One['path']>, ...Input<One['input']>, options?: WaitOptions]
) => Promise<ResultOf<TypesOf<One['output']>['output']>>

type MethodsOf<All> = {
  readonly [Key in keyof All]: All[Key] extends TypedEndpoint ? MethodOf<All[Key]> : never
}

/** The features of an engine as client methods. */
export type FeaturesOf<Engine> = Engine extends { readonly features: infer All }
  ? {
      readonly [Name in keyof All]: All[Name] extends { readonly definition: { readonly endpoints: infer Endpoints } }
        ? MethodsOf<Endpoints>
        : never
    }
  : object

/** An endpoint of a feature in the server's list. */
export interface ListedEndpoint {
  readonly name: string
  readonly method: Ask['method']
  readonly path: string
  readonly summary: string
  readonly params: readonly string[]
  /** JSON Schema of the input; `null` without one. */
  readonly input: Readonly<Record<string, unknown>> | null
  readonly result: 'data' | 'flat' | 'whole' | 'file' | 'none'
  /** The response property that contains the result if `result` is `data`. */
  readonly property: string
  readonly isRead: boolean
  readonly isRepeatable: boolean
  readonly isTool: boolean
}

/** Route of an endpoint. */
interface KnownRoute extends Pick<ListedEndpoint, 'method' | 'path'> {
  /** Default: `data`. */
  readonly result?: ListedEndpoint['result'] | undefined
  /** Default: true, except for `POST`. */
  readonly isRepeatable?: boolean | undefined
  /** Default: false. */
  readonly hasInput?: boolean | undefined
  /** Default: `data`. */
  readonly property?: string | undefined
  /** The default of the option `timeout`. */
  readonly timeout?: number | undefined
  /** Default: `ms`. */
  readonly timeoutUnit?: 's' | 'ms' | undefined
}

/** Routes that the client knows without a request to the server, by feature and endpoint. */
export type KnownRoutes = Readonly<Record<string, Readonly<Record<string, KnownRoute>>>>

/** A feature of a server. */
export interface ListedFeature {
  readonly name: string
  /** The scope that keys need for it. */
  readonly group: string
  readonly endpoints: readonly ListedEndpoint[]
}

/** Lists the features of a server. Rejects with a `HarvestmanError` if the request fails. */
export async function listFeatures(http: Http, { signal }: WaitOptions = {}): Promise<readonly ListedFeature[]> {
  const ask = { method: 'GET', path: '/v2/features', signal, isRepeatable: true } as const
  return (await http.ask<{ readonly features: readonly ListedFeature[] }>(ask)).features
}

type Method = (...given: readonly unknown[]) => Promise<unknown>

/**
 * Returns the client with methods for every other property name, as a feature. Known routes are used directly; other features
 * are read from the server's list on their first call. A method that the server does not have rejects with `NOT_FOUND`.
 */
export function withFeatures<Client extends object>(client: Client, http: Http, known: KnownRoutes): Client {
  let listed: Promise<readonly ListedFeature[]> | undefined
  const list = (): Promise<readonly ListedFeature[]> =>
    (listed ??= listFeatures(http).catch((error: unknown) => {
      listed = undefined
      throw error
    }))
  const call = async (feature: string, name: string, given: readonly unknown[]): Promise<unknown> => {
    const route = known[feature]?.[name]
    if (route) return send(http, route, given)
    const found = (await list()).find((one) => one.name === feature)
    const endpoint = found?.endpoints.find((one) => one.name === name)
    if (endpoint) return send(http, routeOf(endpoint), given)
    const names = found ? found.endpoints.map((one) => `${feature}.${one.name}`) : (await list()).map((one) => one.name)
    const message = `The server has no ${found ? `${feature}.${name}` : feature}. It has: ${names.join(', ') || 'none'}.`
    throw new HarvestmanError(message, { code: 'NOT_FOUND' })
  }
  const methodsOf = (feature: string): object =>
    new Proxy<Record<string, Method>>(
      {},
      {
        get: (methods, name) =>
          isName(name) ? (methods[name] ??= (...given) => call(feature, name, given)) : undefined,
      },
    )
  const features = new Map<string, object>()
  return new Proxy(client, {
    get: (own, name, receiver) => {
      if (Reflect.has(own, name) || !isName(name)) return Reflect.get(own, name, receiver) as unknown
      const methods = features.get(name) ?? methodsOf(name)
      features.set(name, methods)
      return methods
    },
  })
}

function routeOf({ input, ...route }: ListedEndpoint): KnownRoute {
  const { timeout } = (input?.['properties'] ?? {}) as {
    readonly timeout?: { readonly default?: unknown; readonly unit?: unknown }
  }
  return {
    ...route,
    hasInput: input !== null,
    timeout: typeof timeout?.default === 'number' ? timeout.default : undefined,
    timeoutUnit: timeout?.unit === 's' ? 's' : 'ms',
  }
}

/** Excludes `then`, which would make the client a promise, and the names that loggers and serializers read. */
function isName(name: string | symbol): name is string {
  return typeof name === 'string' && name !== 'then' && name !== 'toJSON' && /^[a-z]\w*$/i.test(name)
}

async function send(http: Http, route: KnownRoute, given: readonly unknown[]): Promise<unknown> {
  const { method, path, hasInput, result, property = 'data', timeout, timeoutUnit } = route
  const { isRepeatable = method !== 'POST' } = route
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const ids = params.map((name, index) => [name, encodeURIComponent(String(given[index]))] as const)
  const at = ids.reduce((built, [name, id]) => built.replace(`{${name}}`, id), path)
  const rest = given.slice(params.length)
  const [sent, options] = (hasInput ? rest : [undefined, rest[0]]) as [object | undefined, WaitOptions | undefined]
  const isQuery = method === 'GET' || method === 'DELETE'
  const { timeout: wanted = timeout } = (sent ?? {}) as { readonly timeout?: number | undefined }
  const ask: Ask = {
    ...{ method, signal: options?.signal, isRepeatable, path: isQuery ? at + queryOf(sent) : at },
    ...(hasInput && !isQuery && { body: sent ?? {} }),
    // The server times out by itself. The margin covers steps before the work, such as launching a browser.
    ...(typeof wanted === 'number' && { timeout: (timeoutUnit === 's' ? wanted * 1_000 : wanted) + margin }),
  }
  if (result === 'file') return http.open({ ...ask, timeout: anHour })
  const response = await http.ask<{ readonly success?: boolean; readonly [property: string]: unknown }>({
    ...ask,
    mayFail: result === 'whole',
  })
  if (result === 'none') return undefined
  if (result === 'whole') return response
  const { success: _, ...answer } = response
  return result === 'flat' ? answer : answer[property]
}

function queryOf(input: object = {}): string {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined) as [string, unknown][]
  const query = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))
  return entries.length === 0 ? '' : `?${query.toString()}`
}

const margin = 300_000
const anHour = 3_600_000
