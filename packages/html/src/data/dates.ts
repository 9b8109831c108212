// Parses days as pages write them. Callers pass the order of day and month in numeric dates; it is never guessed.

/** The order of day, month and year in a numeric date. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'

const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'nb',
  'fi',
  'pl',
  'cs',
  'tr',
  'id',
  'ro',
  'hu',
  'ru',
]

let months: ReadonlyMap<string, number> | undefined

/** Returns month numbers by lower-case name or abbreviation, without dots. */
function monthNames(): ReadonlyMap<string, number> {
  if (months) return months
  const names = new Map<string, number>([['sept', 9]])
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
      const within = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' })
      for (let month = 0; month < 12; month += 1) {
        const day = Date.UTC(2024, month, 1)
        const inDate = within.formatToParts(day).find(({ type }) => type === 'month')?.value
        for (const name of [alone.format(day), inDate ?? '']) addName(names, name, month + 1)
      }
    }
  }
  return (months = names)
}

function addName(names: Map<string, number>, name: string, month: number): void {
  const word = name.toLowerCase().replaceAll('.', '')
  if (/^\p{L}{3,}$/u.test(word) && !names.has(word)) names.set(word, month)
}

const isoDay = /\b(\d{4})-(\d{2})-(\d{2})(?!\d)/g
const digits = /(?<!\d)(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{2,4})(?!\d)/g
const words =
  /(?<![\p{L}\d])(?:(\d{1,2})(?:st|nd|rd|th|º|er)?\.?,?\s+(?:de\s+|of\s+)?(\p{L}{3,})\.?,?\s+(?:de\s+)?(\d{4})|(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}))(?!\d)/gu

/**
 * Returns the day in a string as `2024-05-31`, or `undefined` if it contains none or several. Dates in digits need
 * `order`, unless the year comes first.
 */
export function readDay(text: string, order: DateOrder | undefined): string | undefined {
  // Most lines have no day, and the patterns below are slow.
  if (!/\d.*\d/s.test(text)) return undefined
  const iso = [...text.matchAll(isoDay)]
  if (iso.length > 0) return onlyOne(iso.map(([, year, month, day]) => dayOf(year!, month!, day!)))
  const named = [...text.matchAll(words)].map(([, day, month, year, month2, day2, year2]) => {
    const number = monthNames().get((month ?? month2 ?? '').toLowerCase())
    // An unknown word with a day and a year may be a month in another language, so the day is ambiguous.
    return number === undefined ? unread : dayOf(year ?? year2!, String(number), day ?? day2!)
  })
  if (named.some((day) => day !== undefined && day !== unread)) return onlyOne(named)
  return onlyOne([...text.matchAll(digits)].map((written) => inDigits(written, order)))
}

const unread = 'unread'

function onlyOne(days: readonly (string | undefined)[]): string | undefined {
  const found = new Set(days.filter((day) => day !== undefined))
  return found.size === 1 ? [...found][0] : undefined
}

function inDigits([, one, , two, three]: RegExpExecArray, order: DateOrder | undefined): string | undefined {
  if (one!.length === 4) return dayOf(one!, two!, three!)
  const year = three!.length === 2 ? `20${three}` : three!
  if (order === 'dmy') return dayOf(year, two!, one!)
  return order === 'mdy' ? dayOf(year, one!, two!) : undefined
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const written = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${written}T00:00:00Z`)
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written)
  return isDay && Number(year) > 1000 ? written : undefined
}

/** Returns the order of a numeric date in which one number is above 12, or `undefined` if there is none. */
export function orderIn(words: string): DateOrder | undefined {
  const [, one, two] = /(?<!\d)(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}(?!\d)/.exec(words) ?? []
  if (one === undefined || two === undefined) return undefined
  return Number(one) > 12 ? 'dmy' : Number(two) > 12 ? 'mdy' : undefined
}

/**
 * Returns the order of numeric dates in a language, given as a tag such as `en-GB`, or `undefined` if it is unknown or
 * ambiguous.
 */
export function orderOf(language: string): DateOrder | undefined {
  const tag = language.replace('_', '-').toLowerCase()
  if (tag === 'en-us') return 'mdy'
  return /^(?:en-(?:gb|au|nz|ie|in|za)|de|fr|es|it|pt|nl|sv|da|nb|no|fi|pl|cs|tr|ru|ro|el|uk|id)\b/.test(tag)
    ? 'dmy'
    : undefined
}
