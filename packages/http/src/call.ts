// What a request says beside its body.
import { EngineError } from '@harvestman/core'
import { check } from '@harvestman/core/schema'

import { filesPath } from './files.ts'
import { originOf } from './origin.ts'
import type { Route, RouteCall } from './route.ts'

type Known = Omit<RouteCall, 'headers' | 'signal' | 'at' | 'filesAt'>

export function toCall(request: Request, known: Known): RouteCall {
  const at = originOf(request)
  return { ...known, headers: request.headers, signal: request.signal, at, filesAt: at + filesPath }
}

/** The parameters after the `?`, checked; nothing for a row that reads none. */
export function readQuery({ url }: Request, { query, words }: Route): unknown {
  if (!query) return undefined
  const start = url.indexOf('?')
  const given = start < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(start)))
  try {
    return check(query, given)
  } catch (error) {
    if (!EngineError.is(error) || words?.badQuery === undefined) throw error
    throw new EngineError(error.code, `${words.badQuery}: ${error.message}`, { details: error.details })
  }
}

const jobId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

export function isJobId(text: string): boolean {
  return jobId.test(text.toLowerCase())
}

/** The ids as the engine writes them; nothing when one is no id at all. */
export function readIds(ids: RouteCall['ids']): RouteCall['ids'] | undefined {
  const entries = Object.entries(ids).map(([name, id]) => [name, id.toLowerCase()] as const)
  return entries.every(([, id]) => jobId.test(id)) ? Object.fromEntries(entries) : undefined
}
