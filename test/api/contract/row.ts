// Rows of the public API's contract, as data: the request, and what a client needs of the response.
import { isDeepStrictEqual } from 'node:util'

import type { House } from '../bench.ts'

/** JSON types by name, such as `string` or `number or null`. `absent` is a key that is not there. */
export type FieldType = string

export interface Needs {
  readonly status: number
  /** Types of fields by path, such as `data.json` or `data.0.id`. */
  readonly fields?: Readonly<Record<string, FieldType>>
  /** Values of fields by path; a pattern is for a string. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Response headers. */
  readonly headers?: Readonly<Record<string, RegExp>>
  /** The whole body. */
  readonly body?: unknown
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly form?: { readonly file?: { readonly name: string; readonly text: string }; readonly options?: string }
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests to the server of the tests. */
export interface Bench extends Pick<House, 'at' | 'site' | 'server'> {
  send(request: Sent): Promise<Received>
  /** Polls until the condition holds. */
  poll(request: Sent, isDone: (body: Fields) => boolean): Promise<Received>
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: Fields
}

// Responses of many shapes, checked by their values.
// oxlint-disable-next-line typescript/no-explicit-any
export type Fields = any

export interface Row {
  /** Number of the difference in the list of the public API: `0.n` for the API's own tests, `0b.n` for clients. */
  readonly row: string
  /** The clients, or tests of the API, that need it. */
  readonly client: string
  readonly says: string
  readonly request: Sent | ((bench: Bench) => Sent | Promise<Sent>)
  /** For jobs: the response after which the row is checked. */
  readonly until?: (body: Fields) => boolean
  readonly needs: Needs
  /** Why the response differs from the public API's; `needs` is what this server returns instead. */
  readonly chosen?: string
}

/** Returns what a response lacks; empty if the client can decode it. */
export function misfits({ status, headers, body }: Received, needs: Needs): readonly string[] {
  const { fields = {}, values = {}, headers: wantedHeaders = {} } = needs
  return [
    ...(status === needs.status ? [] : [`status is ${status}, not ${needs.status}: ${shown(body)}`]),
    ...Object.entries(fields).flatMap(([path, types]) => {
      const type = typeOf(valueAt(body, path))
      return types.split(' or ').includes(type) ? [] : [`${path} is ${type}, not ${types}`]
    }),
    ...Object.entries(values).flatMap(([path, wanted]) => {
      const value = valueAt(body, path)
      return fits(value, wanted) ? [] : [`${path} is ${shown(value)}, not ${String(wanted)}`]
    }),
    ...Object.entries(wantedHeaders).flatMap(([name, wanted]) => {
      const value = headers.get(name) ?? ''
      return wanted.test(value) ? [] : [`header ${name} is "${value}", not ${String(wanted)}`]
    }),
    ...('body' in needs && !isDeepStrictEqual(body, needs.body) ? [`body is ${shown(body)}`] : []),
  ]
}

function fits(value: unknown, wanted: unknown): boolean {
  return wanted instanceof RegExp ? typeof value === 'string' && wanted.test(value) : isDeepStrictEqual(value, wanted)
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => (found as Fields)?.[key], value)
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 300)
}
