// Parts of a request other than its body.
import { EngineError, type Admission } from '@harvestman/core'
import { check } from '@harvestman/core/schema'

import type { Transport } from '../answer/answer.ts'
import type { Caller } from '../callers/auth.ts'
import type { EngineCaller, Route, RouteCall } from '../route/route.ts'

/** Path of stored files; the file id follows. */
export const filesPath = '/v2/files/'

type Known = Omit<RouteCall, 'headers' | 'signal' | 'filesAt'>

/** Returns what a route is called with. The signal is the transport's, or otherwise the one of the request. */
export function toCall(request: Request, known: Known, { signal = request.signal }: Transport = {}): RouteCall {
  return { ...known, headers: request.headers, signal, filesAt: known.at + filesPath }
}

/** Returns the caller of a route in the form that the engine takes. `admitted` is the engine's admission of the request. */
export function toEngineCaller({ team, key, scopes }: Caller, { version }: Route, admitted: Admission): EngineCaller {
  return { team, key, scopes, apiVersion: version, admitted }
}

/**
 * Reads and validates the query string. Returns `undefined` for a route without a query schema. Throws
 * `invalid_request` if it does not match.
 */
export function readQuery({ url }: Request, { query, words }: Route): unknown {
  if (!query) return undefined
  const start = url.indexOf('?')
  const entries = start < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(start)))
  try {
    return check(query, entries)
  } catch (error) {
    if (!EngineError.is(error) || words?.badQuery === undefined) throw error
    throw new EngineError(error.code, `${words.badQuery}: ${error.message}`)
  }
}

const jobId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** Returns whether a string is a job id (a UUID) in any case. */
export function isJobId(text: string): boolean {
  return jobId.test(text.toLowerCase())
}

type Params = RouteCall['params']

/**
 * Reads and validates the path parameters. Those without a schema must be job ids, and become lower case; the others are
 * unchanged. Returns `undefined` if one is invalid.
 */
export function readParams(given: Params, { params: types = {} }: Route): Params | undefined {
  const read: Record<string, string> = {}
  for (const [name, text] of Object.entries(given)) {
    const type = types[name]
    if (type ? !type.safeParse(text).success : !isJobId(text)) return undefined
    read[name] = type ? text : text.toLowerCase()
  }
  return read
}
