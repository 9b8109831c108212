// Recorded requests as templates: their values, and requests with other values.
import { isRecord, type Json } from '@harvestman/ports'
import { exceededBound } from '@harvestman/toolbox/json-scanner'
import { parseJson } from '@harvestman/toolbox/parse-json'

import { hasEmbeddedSecret } from './embedded-secrets.ts'
import type { Exchange } from './exchanges.ts'
import { valueAt, visitedBounds, visitJson, withValueAt } from './json-path.ts'
import { limits, type Place, type RecipeRequest } from './recipe.ts'

/** A value of a request and its place. */
export interface PlacedValue {
  readonly at: Place
  readonly value: Json
}

/** Returns whether a request only reads: a GET request, or a GraphQL query. Repeating another request may change data. */
export function isReading({ method, body }: RecipeRequest): boolean {
  return method === 'GET' || (body?.as === 'json' && isQuery(body.value))
}

/** The reason for which another request is not repeated. */
export const mayChange = 'Repeating this POST request may change data. If it only reads, set repeatPosts: true.'

const maxOperations = 50

/** Returns whether a body contains a GraphQL query. A batch must consist of queries. */
function isQuery(body: unknown): boolean {
  if (Array.isArray(body))
    return body.length > 0 && body.length <= maxOperations && body.every((one) => !Array.isArray(one) && isQuery(one))
  const query: unknown = isRecord(body) ? body['query'] : undefined
  return typeof query === 'string' && query.length <= 100_000 && hasOnlyQueries(query)
}

// Block strings, strings and comments may contain any word, so they go first. Braces are then balanced.
const notSyntax = /"""(?:\\"""|(?!""")[\s\S])*"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*/g

/** Returns whether all definitions of a GraphQL document are queries or fragments, with at least one query. */
function hasOnlyQueries(text: string): boolean {
  let depth = 0
  let hasQuery = false
  let isStart = true
  for (const [token] of text.replaceAll(notSyntax, ' ').matchAll(/[A-Za-z_]\w*|[{}()]/g)) {
    if (depth === 0 && isStart) {
      if (token !== '{' && token !== 'query' && token !== 'fragment') return false
      hasQuery ||= token !== 'fragment'
      isStart = false
    }
    if (token === '{' || token === '(') depth += 1
    if (token === '}' || token === ')') depth -= 1
    if (depth < 0) return false
    if (depth === 0 && token === '}') isStart = true
  }
  return depth === 0 && isStart && hasQuery
}

/** Converts a recorded request to a template without headers, or returns `undefined` for other methods and bodies. */
export function templateOf({ method, url, headers, sent }: Exchange): RecipeRequest | undefined {
  if (method !== 'GET' && method !== 'POST') return undefined
  const parsed = new URL(url)
  if (parsed.username !== '' || parsed.password !== '') return undefined
  const query = [...parsed.searchParams]
  parsed.search = ''
  parsed.hash = ''
  const base: RecipeRequest = { method, url: parsed.href, query, headers: {} }
  if (sent === undefined || sent === '') return base
  // A recipe cannot contain it, so it is not parsed.
  if (sent.length > limits.recipe) return undefined
  // Secrets are replaced in visited values only.
  if (exceededBound(sent, visitedBounds) !== undefined && hasEmbeddedSecret(sent)) return undefined
  const type = headers.get('content-type') ?? ''
  const json = parseJson(sent)
  // `fetch` sends JSON with the type `text/plain` unless the page sets the type.
  if (json !== undefined && !type.includes('form')) return { ...base, body: { as: 'json', value: json as Json } }
  if (type.includes('application/x-www-form-urlencoded'))
    return { ...base, body: { as: 'form', fields: [...new URLSearchParams(sent)] } }
  return undefined
}

const maxValues = 200

/** Returns the values of the query and the body that are not objects. */
export function valuesOf({ query, body }: RecipeRequest, most = maxValues): readonly PlacedValue[] {
  const found: PlacedValue[] = query.map(([name, value]) => ({ at: { in: 'query', path: [name] }, value }))
  if (body?.as === 'form')
    found.push(...body.fields.map(([name, value]) => ({ at: { in: 'form' as const, path: [name] }, value })))
  if (body?.as === 'json')
    visitJson(body.value, (value, path) => {
      if ((typeof value !== 'object' || value === null) && path.length > 0)
        found.push({ at: { in: 'json', path: [...path] }, value })
    })
  return found.slice(0, most)
}

/** Returns the value at a place. */
export function requestValue({ query, body }: RecipeRequest, at: Place): Json | undefined {
  if (at.in === 'json') return body?.as === 'json' ? valueAt(body.value, at.path) : undefined
  const pairs = at.in === 'query' ? query : body?.as === 'form' ? body.fields : []
  return pairs.find(([name]) => name === at.path[0])?.[1]
}

/** Returns the request with another value at a place; without the parameter or the key if the value is `undefined`. */
export function withRequestValue(request: RecipeRequest, at: Place, value: Json | undefined): RecipeRequest {
  const { query, body } = request
  if (at.in === 'query') return { ...request, query: withPair(query, at.path[0] ?? '', value) }
  if (at.in === 'form' && body?.as === 'form')
    return { ...request, body: { ...body, fields: withPair(body.fields, at.path[0] ?? '', value) } }
  if (at.in === 'json' && body?.as === 'json')
    return { ...request, body: { ...body, value: withValueAt(body.value, at.path, value ?? null) } }
  return request
}

type Pairs = RecipeRequest['query']

function withPair(pairs: Pairs, name: string, value: Json | undefined): Pairs {
  if (value === undefined) return pairs.filter(([one]) => one !== name)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (!pairs.some(([one]) => one === name)) return [...pairs, [name, text]]
  return pairs.map((pair): [string, string] => (pair[0] === name ? [name, text] : pair))
}

/** Replaces `{{name}}` in all strings of a request. */
export function fillRequest(request: RecipeRequest, values: ReadonlyMap<string, string>): RecipeRequest {
  const fill = (text: string): string =>
    text.replaceAll(/\{\{([a-z0-9.]{1,200})\}\}/gi, (whole, name: string) => values.get(name) ?? whole)
  const pairs = (all: Pairs): Pairs => all.map(([name, value]): [string, string] => [name, fill(value)])
  const { body } = request
  return {
    ...request,
    query: pairs(request.query),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, fill(value)])),
    ...(body?.as === 'form' && { body: { ...body, fields: pairs(body.fields) } }),
    ...(body?.as === 'json' && { body: { ...body, value: fillJson(body.value, fill) } }),
  }
}

function fillJson(value: Json, fill: (text: string) => string): Json {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((one: Json) => fillJson(one, fill))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillJson(one as Json, fill)]))
}
