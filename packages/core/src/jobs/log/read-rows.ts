import type { Log } from '@harvestman/coordination'
import { formatTime } from './refusals.ts'
import type { JobRow, RowRange } from '../handle.ts'
import { robotsBlockedUrls, errorOf, parseEventId } from './events.ts'
import { factsOf, type Fact } from './facts.ts'

export interface RowSlice {
  readonly rows: readonly JobRow[]
  /** Id of the last event read. */
  readonly cursor?: string
  readonly hasMore: boolean
}

// Number of segments read at once. Each has about 1 MB.
const readAhead = 4

/**
 * Reads the outcomes of pages from the first `places` segments, after the event `after`, without parsing any document. Rows of
 * one event stay together, so there may be more than `limit`. Ends early at a missing segment. Rejects with `invalid_request`
 * if the cursor is malformed, and if the store fails or a segment is damaged.
 */
export async function readRows(log: Log, places: number, { after, limit }: RowRange): Promise<RowSlice> {
  const rows: JobRow[] = []
  let { place, index } = parseEventId(after, 'cursor: it')
  let cursor = after
  while (place < places) {
    const count = Math.min(readAhead, places - place)
    const segments = await log.readMany(Array.from({ length: count }, (_, ahead) => place + ahead))
    for (const segment of segments) {
      if (!segment) return slice(rows, cursor, false)
      const facts = factsOf(segment)
      for (let at = index + 1; at < facts.length && rows.length < limit; at += 1) {
        rows.push(...rowsOf(facts[at]!))
        cursor = `${place}-${at}`
      }
      const isRead = cursor === `${place}-${facts.length - 1}`
      segment.free()
      if (rows.length >= limit) return slice(rows, cursor, !isRead || place + 1 < places)
      place += 1
      index = -1
    }
  }
  return slice(rows, cursor, false)
}

function slice(rows: readonly JobRow[], cursor: string | undefined, hasMore: boolean): RowSlice {
  return { rows, ...(cursor !== undefined && { cursor }), hasMore }
}

/** Converts a fact to list rows; most facts give none. */
function rowsOf(fact: Fact): JobRow[] {
  const at = formatTime(fact.at)
  if (fact.is === 'page') {
    const { id, url, credits, bytes, status, title } = fact
    const known = { ...(status !== undefined && { status }), ...(title !== undefined && { title }) }
    return [{ outcome: 'visited', at, id, url, ...known, bytes, credits }]
  }
  const failures = errorOf(fact).map(({ id, url, code, error }): JobRow => ({
    outcome: fact.is === 'failed' ? 'failed' : 'left',
    at,
    id,
    url,
    code,
    error,
  }))
  const blocked = robotsBlockedUrls(fact).map((url): JobRow => ({
    outcome: 'left',
    at,
    url,
    code: 'robots_denied',
    error: denied,
  }))
  return [...failures, ...blocked]
}

const denied = 'The robots.txt of the host disallows the page.'
