import { thaiEpoch, withGregorianDays } from './calendars.ts'
import { ambiguousMonths, monthWords } from './day-names.ts'
import { plainName, withoutAccents } from './month-words.ts'

// Parses days as pages write them. Callers pass the order of day and month in numeric dates; it is never guessed.

/** The order of day, month and year in a numeric date. Learned programs may have `ymd`, which is read without an order, too. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'

let months: ReadonlyMap<string, number> | undefined

/** Returns month numbers by name or abbreviation, with and without accents. */
function monthNames(): ReadonlyMap<string, number> {
  if (months) return months
  const names = monthWords.flatMap((words, month) => words.split('|').map((word) => [word, month + 1] as const))
  return (months = new Map([...names.map(([name, month]) => [withoutAccents(name), month] as const), ...names]))
}

/** Returns the number of a month. An ambiguous name needs the language. */
function monthOf(word: string, language: string): number | undefined {
  const name = plainName(word)
  if (Object.hasOwn(ambiguousMonths, name)) return ambiguousMonths[name]![language.split(/[-_]/, 1)[0]!.toLowerCase()]
  return monthNames().get(name) ?? monthNames().get(withoutAccents(name))
}

/** Returns whether a word is the name of a month in one of the languages. */
export const isMonthName = (word: string): boolean =>
  Object.hasOwn(ambiguousMonths, plainName(word)) || monthOf(word, '') !== undefined

const isoDay = /\b(\d{4})-(\d{2})-(\d{2})(?!\d)/g
const digits =
  /(?<!\d)(?:(\d{4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,2})|(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\6\s?(\d{4}|\d{2}))(?!\d)/g
/** The characters of names of months, as ranges: a Unicode property takes 40 ms to compile. */
const letter = String.raw`A-Za-zÀ-ÖØ-öø-\u060b\u060d-\u061a\u0620-\u06d3\u06d5-\u0963\u0966-\u1fff`
// A word has a start and a maximum length, so that a long word is searched once.
const monthName = String.raw`(?<month>(?:كانون|تشرين)\s[${letter}]{3,8}|(?:م[هی]|آب)(?![${letter}])|(?:[${letter}]{1,2}\.){1,2}[${letter}]?|[\u0900-\u09ff]{2,31}|[${letter}]{3,31})`
const afterDay = String.raw`(?:st|nd|rd|th|º|ª|er)?\.?[,،]?(?:\s+(?:(?:de|of|di|del)\s+|d['’])?|-)`
/** The forms of a day with the name of the month: "31 May 2024", "May 31, 2024", "2024. május 31.", "2024. gada 31. maijs". */
const named = [
  String.raw`(?<![${letter}\d])(?<day>\d{1,2})${afterDay}${monthName}[.׳॰]?[,،]?(?:\s+(?:(?:de|del|of|พ\.ศ\.)\s*)?|-)(?<year>\d{4})(?!\d)`,
  String.raw`(?<![${letter}])${monthName}[.׳॰]?[\s-]\s*(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+|,|-)(?<year>\d{4})(?!\d)`,
  String.raw`(?<!\d)(?<year>\d{4})\.?\s+(?!gada\s|g\.)${monthName}\.?\s+(?<day>\d{1,2})(?!\d|,?\s+\d{4})`,
  String.raw`(?<!\d)(?<year>\d{4})\.?\s+(?:gada|g\.)\s+(?<day>\d{1,2})\.\s+${monthName}`,
].map((form) => new RegExp(form, 'g'))
/** The forms of a day with signs or words for year and month: "2024年5月31日", "31 tháng 5, 2024". */
const signed = [
  /(?<!\d)(?<year>\d{4})\s*[年년]\s*(?<month>\d{1,2})\s*[月월]\s*(?<day>\d{1,2})(?!\d)/gu,
  /(?<!\d)(?<day>\d{1,2})\s+th(?:án)?g\s+(?<month>\d{1,2}),?\s+(?:năm\s+)?(?<year>\d{4})(?!\d)/giu,
]
/** Years that count from an event: Japan's current era, and the founding of the Republic of China. */
const eras: readonly (readonly [RegExp, number])[] = [
  [/令和\s*(\d{1,2}|元)\s*年/g, 2018],
  [/民國\s*(\d{2,3})\s*年/g, 1911],
]

const mark = /(?:1[3-9]|2[0-5])\d\d(?!\d)|(?:令和|民國)\s*[\d元]|\d\s?[./-]\s?\d\d?\s?[./-]\s?\d\d|[٠-٩۰-۹०-९০-৯]{2}/

const digit = /[\d٠-٩۰-۹०-९০-৯]/

/** Returns whether a string may contain a day. Most strings do not, and `readDay` is slow. */
export const mayHaveDay = (text: string): boolean => text.length >= minLength && digit.test(text) && mark.test(text)

/** The length of the shortest form, `5/3/24`. */
const minLength = 6
const maxLength = 1_000
/** Invisible marks for the direction of writing, which Arabic dates have between their numbers. */
const directionMarks = /[\u200e\u200f\u061c]/g

/**
 * Returns the day in a string as `2024-05-31`, or `undefined` if it contains none or several, or more than 1,000 characters.
 * Dates in digits need `order`, unless the year comes first. A few names of months need `language`, a tag such as `hr`:
 * "listopada" is October in Croatian and November in Polish.
 */
export function readDay(written: string, order: DateOrder | undefined, language = ''): string | undefined {
  if (written.length > maxLength || !mayHaveDay(written)) return undefined
  const plain = written.replaceAll(directionMarks, '')
  const text = asGregorian(/[٠-٩۰-۹०-९০-৯]/.test(plain) ? withLatinDigits(plain) : plain)
  const iso = [...text.matchAll(isoDay)]
  if (iso.length > 0) return onlyOne(iso.map(([, year, month, day]) => dayOf(year!, month!, day!)))
  const inSigns = signed.flatMap((form) => [...text.matchAll(form)].map((found) => dayInWords(found, language)))
  if (inSigns.length > 0) return onlyOne(inSigns)
  const inWords = named.flatMap((form) => [...text.matchAll(form)].map((found) => dayInWords(found, language)))
  if (inWords.some((day) => day !== undefined && day !== unread)) return onlyOne(inWords)
  return onlyOne([...text.matchAll(digits)].map((written) => inDigits(written, order)))
}

/** Replaces dates of other calendars, if an era or a month shows which one it is. */
function asGregorian(text: string): string {
  let plain = text
  if (/令和|民國/.test(text))
    for (const [era, first] of eras)
      plain = plain.replaceAll(era, (_, year: string) => `${first + (year === '元' ? 1 : Number(year))}年`)
  if (/(?<!\d)2[45]\d\d(?!\d)/.test(plain) && /\p{sc=Thai}/u.test(plain))
    plain = plain.replaceAll(/(?<!\d)2[45]\d\d(?!\d)/g, (year) => String(Number(year) - thaiEpoch))
  return withGregorianDays(plain)
}

/** Returns whether a page may be of this day: not before 1990, nor after next year. Other days are in its text, or in another calendar. */
export function isDayOfWeb(day: string): boolean {
  const year = Number(day.slice(0, 4))
  return year >= 1990 && year <= new Date().getFullYear() + 1
}

const twoOrders = /\d\d?\s?[./-]\s?\d\d?\s?[./-]\s?\d\d|[٠-٩۰-۹०-९০-৯]\D{0,3}[./-]/

/** Returns the days in a string whose numbers can be read in two orders, in both of them. Empty if no order is missing. */
export function daysInAnyOrder(text: string): readonly string[] {
  // Most dates have a month in words or the year first.
  if (!twoOrders.test(text)) return []
  const days = [readDay(text, 'dmy'), readDay(text, 'mdy')].filter((day) => day !== undefined)
  return readDay(text, undefined) === undefined && days.length === 2 ? days : []
}

/** Returns a string without its dates, with white space in their places. */
export function withoutDays(text: string): string {
  let rest = text.slice(0, maxLength)
  for (const form of [isoDay, ...signed, ...named, digits]) rest = rest.replaceAll(form, ' ')
  return rest
}

const unread = 'unread'

// An unknown word with a day and a year may be a month in another language, so the day is ambiguous.
function dayInWords({ groups = {} }: RegExpExecArray, language: string): string | undefined {
  const { year = '', month = '', day = '' } = groups
  const number = /^\d+$/.test(month) ? Number(month) : monthOf(month, language)
  return number === undefined ? unread : dayOf(year, String(number), day)
}

const zeros = [0x9e6, 0x966, 0x6f0, 0x660]

/** Replaces Arabic, Persian, Devanagari and Bengali digits. */
function withLatinDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹०-९০-৯]/g, (digit) => {
    const code = digit.codePointAt(0)!
    return String(code - (zeros.find((zero) => code >= zero) ?? 0))
  })
}

function onlyOne(days: readonly (string | undefined)[]): string | undefined {
  const found = new Set(days.filter((day) => day !== undefined))
  return found.size === 1 ? [...found][0] : undefined
}

function inDigits(found: RegExpExecArray, order: DateOrder | undefined): string | undefined {
  const [, first, , second, third, one, , two, last] = found
  if (first !== undefined) return dayOf(first, second!, third!)
  const year = last!.length === 2 ? `20${last}` : last!
  if (order === 'dmy') return dayOf(year, two!, one!)
  return order === 'mdy' ? dayOf(year, one!, two!) : undefined
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const written = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${written}T00:00:00Z`)
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written)
  return isDay && Number(year) > 1000 ? written : undefined
}

/** Returns the order of the first numeric date in a string if one of its numbers is above 12, otherwise `undefined`. */
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
  return /^(?:en-(?:gb|au|nz|ie|in|za)|de|fr|es|it|pt|nl|sv|da|nb|no|fi|pl|cs|sk|tr|ru|ro|el|uk|id|bg|ca|vi|ar|hi|th|he|fa|hr|sl|et|lv|bn|sr|ms|ur)\b/.test(
    tag,
  )
    ? 'dmy'
    : undefined
}
