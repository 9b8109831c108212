import { hash } from 'node:crypto'

import { parseEventId } from '../log/events.ts'

const mark = '~'

/**
 * Returns the id of a message: the id of its event, and a mark of the writer of its segment. A store that was put back to
 * an earlier state has other events at the places that it lost, and a receiver must not take their messages for repeats.
 */
export function noticeId(place: number, index: number, by: string | undefined): string {
  return by === undefined ? `${place}-${index}` : `${place}-${index}${mark}${markOf(by)}`
}

/** Returns the id of the event of a message. */
export function eventIdOf(notice: string): string {
  return notice.split(mark, 1)[0]!
}

/** Returns the position in the log of the event of a message. */
export function noticePlace(notice: string | undefined): { place: number; index: number } {
  return parseEventId(notice && eventIdOf(notice))
}

/** Returns whether a message may be about a segment by this writer: neither needs to name one. */
export function isOf(notice: string, by: string | undefined): boolean {
  const [, marked] = notice.split(mark)
  return marked === undefined || by === undefined || marked === markOf(by)
}

function markOf(by: string): string {
  return hash('sha256', by, 'hex').slice(0, 12)
}
