import { inCalendarOf } from '../data/calendars.ts'
import { isDayOfWeb, readDay, orderIn, orderOf } from '../data/dates.ts'
import { lineOf } from '../tree/walk.ts'

// Parses times in markup and in visible lines.

export interface TimeReading {
  /** The language of the page: `en-US`. */
  readonly language: string
}

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]+\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{0,2})?)?$/i
const compact = /^(\d{4})(\d{2})(\d{2})(?:T?\d{4,6}(?:Z|[+-]\d{2}:?\d{2})?)?$/
const maxLength = 200

/**
 * Returns an ISO 8601 time as written, a Unix timestamp as ISO 8601, and any other time as its day. Returns `undefined`
 * if there is no time, if there are several, or if it is before 1990 or after next year.
 */
export function timeOf(text: string, { language }: TimeReading): string | undefined {
  const line = lineOf(text.slice(0, maxLength))
  if (line === '') return undefined
  if (iso.test(line)) {
    const day = inCalendarOf(language, line.slice(0, 10))
    return isPossible(day)
      ? `${day}${line
          .slice(10)
          .replace(/^ +(?=\d{2}:)/, 'T')
          .replace(/\s/g, '')}`
      : undefined
  }
  if (/^\d{10}(?:\d{3})?$/.test(line)) return ofEpoch(line)
  const [, year, month, day] = compact.exec(line) ?? []
  const written = year === undefined ? line : `${year}-${month}-${day}`
  const read = readDay(written, orderIn(written) ?? orderOf(language), language)
  const found = read && inCalendarOf(language, read)
  return found !== undefined && isPossible(found) ? found : undefined
}

function ofEpoch(digits: string): string | undefined {
  const time = new Date(digits.length === 10 ? Number(digits) * 1000 : Number(digits)).toISOString()
  return isPossible(time.slice(0, 10)) ? time : undefined
}

function isPossible(day: string): boolean {
  return isDayOfWeb(day) && readDay(day, undefined) !== undefined
}
