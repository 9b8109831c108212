// Converts days of the Persian and the Islamic calendar. The names of the months mark Persian days. Islamic days count only
// with the letter of their era after the year.

interface Calendar {
  readonly name: string
  readonly language: string
  /** The mean length of a year in days, and the first day of the calendar in days since 1970. */
  readonly yearLength: number
  readonly epoch: number
}

const persian: Calendar = { name: 'persian', language: 'fa', yearLength: 365.2422, epoch: -492_267 }
const islamic: Calendar = { name: 'islamic-umalqura', language: 'ar', yearLength: 354.367, epoch: -492_148 }

const day = String.raw`(?<!\d)(?<day>\d{1,2})(?!\d)`
const month = String.raw`(?<month>[\p{sc=Arabic}\p{M}]{2,14}(?:[\s\u200c][\p{sc=Arabic}\p{M}]{4,10})?)`
const year = String.raw`(?<!\d)(?<year>1[34]\d\d)(?!\d)`
const dayFirst = String.raw`${day}\s+(?:من\s+)?${month}\s*،?\s+${year}`

/** The forms of days, with the groups `day`, `month` and `year`. */
const forms: readonly { readonly form: RegExp; readonly calendar: Calendar }[] = [
  { form: new RegExp(dayFirst, 'gu'), calendar: persian },
  { form: new RegExp(String.raw`${year}\s+${month}\s+${day}`, 'gu'), calendar: persian },
  { form: new RegExp(String.raw`${dayFirst}\s*ه\u0640?(?!\p{L})`, 'gu'), calendar: islamic },
]

const mayHaveYear = /(?<!\d)1[34]\d\d(?!\d)/
const isArabic = /\p{sc=Arabic}/u

/** Replaces Persian and Islamic days by days such as `2024-05-31`. Those that do not exist are unchanged. */
export function withGregorianDays(text: string): string {
  if (!mayHaveYear.test(text) || !isArabic.test(text)) return text
  let plain = text
  for (const { form, calendar } of forms) {
    plain = plain.replaceAll(form, (written: string, ...rest: unknown[]) => {
      const { day, month, year } = rest.at(-1) as Readonly<Record<'day' | 'month' | 'year', string>>
      return gregorianDay(calendar, { year: Number(year), month, day: Number(day) }) ?? written
    })
  }
  return plain
}

const dayLength = 24 * 60 * 60 * 1000

/**
 * Returns a day with the year of the calendar that pages in this language use, as a Gregorian day: `2567-05-31` in Thai is
 * `2024-05-31`. Days with a year of our time are unchanged.
 */
export function inCalendarOf(language: string, day: string): string {
  const year = Number(day.slice(0, 4))
  if (/^th\b/i.test(language) && year >= 2400 && year < 2600) return `${year - thaiEpoch}${day.slice(4)}`
  if (!/^fa\b/i.test(language) || year < 1300 || year >= 1500) return day
  return onDay(persian, orderOf(year, Number(day.slice(5, 7)), Number(day.slice(8)))) ?? day
}

/** The year of the Thai calendar before the first of ours. */
export const thaiEpoch = 543

function gregorianDay(
  calendar: Calendar,
  { year, month, day }: { readonly year: number; readonly month: string; readonly day: number },
): string | undefined {
  const number = monthsOf(calendar).get(plainMonth(month))
  if (number === undefined) return undefined
  return onDay(calendar, orderOf(year, number, day))
}

function onDay(calendar: Calendar, wanted: number): string | undefined {
  const year = Math.floor(wanted / 10_000)
  const start = Math.round(calendar.epoch + (year - 1) * calendar.yearLength)
  let [low, high] = [start - 40, start + 420]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (orderOn(calendar, middle * dayLength) < wanted) low = middle + 1
    else high = middle
  }
  const time = low * dayLength
  return orderOn(calendar, time) === wanted ? new Date(time).toISOString().slice(0, 10) : undefined
}

const orderOf = (year: number, month: number, day: number): number => (year * 100 + month) * 100 + day

/** Returns a number that grows with the days of a calendar. */
function orderOn(calendar: Calendar, time: number): number {
  const parts = new Map(
    digitsOf(calendar)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number.parseInt(value)]),
  )
  return orderOf(parts.get('year') ?? 0, parts.get('month') ?? 0, parts.get('day') ?? 0)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function digitsOf({ name }: Calendar): Intl.DateTimeFormat {
  let format = formats.get(name)
  if (!format) {
    const options = { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' } as const
    formats.set(name, (format = new Intl.DateTimeFormat(`en-u-ca-${name}-nu-latn`, options)))
  }
  return format
}

const months = new Map<string, ReadonlyMap<string, number>>()

/** Returns the numbers of a calendar's months by name. */
function monthsOf(calendar: Calendar): ReadonlyMap<string, number> {
  const known = months.get(calendar.name)
  if (known) return known
  const names = new Map<string, number>()
  const name = new Intl.DateTimeFormat(`${calendar.language}-u-ca-${calendar.name}`, { month: 'long', timeZone: 'UTC' })
  for (let day = 0; day < 400; day += 20) {
    const time = day * dayLength
    names.set(plainMonth(name.format(time)), Math.floor(orderOn(calendar, time) / 100) % 100)
  }
  months.set(calendar.name, names)
  return names
}

/** Removes the differences in spelling: vowel signs, the carriers of hamza, and the case of "ذو". */
const plainMonth = (month: string): string =>
  month
    .replaceAll(/\p{M}|\u200c/gu, '')
    .replaceAll(/[أإآ]/g, 'ا')
    .replaceAll('ي', 'ی')
    .replace(/^ذی /, 'ذو ')
    .trim()
