import { hash } from 'node:crypto'

import { parseEventId } from '../log/events.ts'

const mark = '~'

/**
 * Returns the id of a message: the id of its event and, if it is known, a hash of the segment's writer. After a store is
 * restored to an earlier state, the same positions hold other events, and a receiver must not treat their messages as
 * duplicates.
 */
export function noticeId(place: number, index: number, by: string | undefined): string {
  return by === undefined ? `${place}-${index}` : `${place}-${index}${mark}${markOf(by)}`
}

/** Extracts the event id from a message id. An id without a hash is returned unchanged. */
export function eventIdOf(notice: string): string {
  return notice.split(mark, 1)[0]!
}

/**
 * Returns the log position of the event of a message; without a message, the position before the first event. Throws
 * `invalid_request` if the id is malformed.
 */
export function logPositionOf(notice: string | undefined): { place: number; index: number } {
  return parseEventId(notice && eventIdOf(notice))
}

/** Returns whether a message can be about a segment of this writer. True if either of them names no writer. */
export function isFromWriter(notice: string, by: string | undefined): boolean {
  const [, marked] = notice.split(mark)
  return marked === undefined || by === undefined || marked === markOf(by)
}

function markOf(by: string): string {
  return hash('sha256', by, 'hex').slice(0, 12)
}
