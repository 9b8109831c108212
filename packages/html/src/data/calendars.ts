// Converts days of the Persian and the Islamic calendar. The names of the months mark Persian days. Islamic days count only
// with the letter of their era after the year.

interface Calendar {
  readonly name: string
  readonly language: string
  /** Matches a day, with the groups `day`, `month` and `year`. */
  readonly form: RegExp
  /** The mean length of a year in days, and the first day of the calendar in days since 1970. */
  readonly yearLength: number
  readonly epoch: number
}

const named = String.raw`(?<!\d)(?<day>\d{1,2})\s+(?:من\s+)?(?<month>[\p{sc=Arabic}\p{M}]{2,14}(?:[\s\u200c][\p{sc=Arabic}\p{M}]{4,10})?)\s*،?\s+(?<year>1[34]\d\d)(?!\d)`

const calendars: readonly Calendar[] = [
  { name: 'persian', language: 'fa', form: new RegExp(named, 'gu'), yearLength: 365.2422, epoch: -492_267 },
  {
    name: 'islamic-umalqura',
    language: 'ar',
    form: new RegExp(String.raw`${named}\s*ه\u0640?(?!\p{L})`, 'gu'),
    yearLength: 354.367,
    epoch: -492_148,
  },
]

const mayHaveYear = /(?<!\d)1[34]\d\d(?!\d)/
const isArabic = /\p{sc=Arabic}/u

/** Replaces Persian and Islamic days by days such as `2024-05-31`. Those that do not exist are unchanged. */
export function withGregorianDays(text: string): string {
  if (!mayHaveYear.test(text) || !isArabic.test(text)) return text
  let plain = text
  for (const calendar of calendars) {
    plain = plain.replaceAll(calendar.form, (written: string, ...rest: unknown[]) => {
      const { day, month, year } = rest.at(-1) as Readonly<Record<'day' | 'month' | 'year', string>>
      return gregorianDay(calendar, { year: Number(year), month, day: Number(day) }) ?? written
    })
  }
  return plain
}

const dayLength = 24 * 60 * 60 * 1000

function gregorianDay(
  calendar: Calendar,
  { year, month, day }: { readonly year: number; readonly month: string; readonly day: number },
): string | undefined {
  const number = monthsOf(calendar).get(plainMonth(month))
  if (number === undefined) return undefined
  const wanted = orderOf(year, number, day)
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
