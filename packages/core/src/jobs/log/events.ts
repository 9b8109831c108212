import { parseStored } from '@harvestman/ports/stores'
import { EngineError } from '@harvestman/ports'
import type { AnyDocument } from '../../scrape/document.ts'
import { formatTime } from './refusals.ts'
import type { Fact, FailedFact } from './facts.ts'
import type { JobError, JobEvent, JobStatus } from '../handle.ts'

export interface EventContext {
  readonly id: string
  readonly status: JobStatus
  readonly document: Uint8Array | undefined
}

/**
 * An entry for the list of errors. A note may also contain one, for a problem that does not concern a single page; it is not
 * counted as a failed page.
 */
export type Failure = Pick<FailedFact, 'id' | 'url' | 'code' | 'message'>

/**
 * Converts a fact to a public event. Returns `undefined` if the fact is internal, or if it is a page without a `document`.
 * Throws `store_failed` if its time or document is damaged.
 */
export function eventOf(fact: Fact, { id, status, document }: EventContext): JobEvent | undefined {
  const base = { id, job: status.id, at: formatTime(fact.at) }
  switch (fact.is) {
    case 'opened':
      return { ...base, type: 'started' }
    case 'page':
      return document && { ...base, type: 'page', document: parseDocument(document) }
    case 'failed':
      return { ...base, type: 'failed page', error: errorOf(fact)[0] as JobError }
    case 'ended':
      return { ...base, type: fact.status, status }
    default:
      return undefined
  }
}

/** Parses a stored document. Throws `store_failed` if it is not JSON. */
export function parseDocument({ buffer, byteOffset, byteLength }: Uint8Array): AnyDocument {
  return parseStored(Buffer.from(buffer, byteOffset, byteLength).toString()) as AnyDocument
}

/** Returns the public error in a fact: none or one. Throws a damaged-record error if its time is invalid. */
export function errorOf(fact: Fact): JobError[] {
  const failure = fact.is === 'failed' ? fact : (noted(fact, 'failure') as Failure | undefined)
  if (!failure) return []
  const { id, url, code, message } = failure
  return [{ id, timestamp: formatTime(fact.at), url, code, error: message }]
}

/** Returns the URLs that robots.txt disallowed, if the fact is a note of them; otherwise an empty list. */
export function robotsBlockedUrls(fact: Fact): string[] {
  return (noted(fact, 'blocked') ?? []) as string[]
}

function noted(fact: Fact, key: string): unknown {
  if (fact.is !== 'noted' || typeof fact.note !== 'object' || fact.note === null) return undefined
  return (fact.note as Readonly<Record<string, unknown>>)[key]
}

/**
 * Parses an event id into a log position: segment and index within it. Without an id, returns the position before the first
 * event. Throws `invalid_request` if it is malformed; the message calls it `name`.
 */
export function parseEventId(
  id: string | undefined,
  name = 'The id of the last event',
): { place: number; index: number } {
  if (id === undefined) return { place: 0, index: -1 }
  const [place, index] = /^(\d{1,9})-(\d{1,9})$/.exec(id)?.slice(1).map(Number) ?? []
  if (place !== undefined && index !== undefined) return { place, index }
  throw new EngineError('invalid_request', `${name} is not an event id of this job. Omit it to read all events.`)
}
