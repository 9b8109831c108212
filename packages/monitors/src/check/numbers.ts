// Reads numbers in text, such as `1.299,00 €`. Which separator is the decimal one is decided by how the number is written.
import type { Json } from '@harvestman/ports'

type Separator = '.' | ','

/** The decimal separator that other numbers of a page show; `undefined` if they show none. */
export type Notation = Separator | undefined

/** A space or an apostrophe only separates groups of three digits; a point or a comma may do either. */
const number = /[-−]?\d+(?:[ \u00a0\u202f'’]\d{3}(?!\d)|[.,]\d+)*/
const currency = /[$€£¥₹₽₩₺₴₫฿]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR|BRL|PLN|SEK|NOK|DKK|CZK|HUF|RON|TRY|IDR|AUD|CAD)\b/
const maxLength = 200
/** Maximum number of strings whose notation is compared. */
const maxStrings = 1_000

/**
 * Reads the first number of a string, in its first 200 characters. A single separator before exactly three digits is ambiguous:
 * it then follows the notation of the page; without one, it groups the digits of a price; otherwise a point is decimal and a
 * comma is not. Returns `undefined` if the value is neither a number nor a string with digits.
 */
export function numberIn(value: Json, notation: () => Notation): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.slice(0, maxLength)
  const digits = digitsIn(text)
  if (digits === undefined) return undefined
  const shown = decimalOf(digits)
  const decimal = shown === 'ambiguous' ? (notation() ?? defaultDecimal(digits, text)) : shown
  if (decimal === 'none') return Number(digits.replaceAll(/[.,]/g, ''))
  return Number(digits.replaceAll(decimal === ',' ? '.' : ',', '').replace(decimal, '.'))
}

/**
 * Returns the decimal separator that most numbers in these values show, of at most 1,000 strings. Returns `undefined` if none
 * does, or both are equally frequent.
 */
export function notationOf(...values: readonly Json[]): Notation {
  const counts = { '.': 0, ',': 0 }
  let left = maxStrings
  const waiting: Json[] = [...values]
  while (waiting.length > 0 && left > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      left -= 1
      const digits = digitsIn(value.slice(0, maxLength))
      const decimal = digits === undefined ? 'none' : decimalOf(digits)
      if (decimal === '.' || decimal === ',') counts[decimal] += 1
      else if (decimal === 'none' && digits !== undefined) {
        // A repeated separator groups digits, so the other one is decimal.
        if (digits.includes('.')) counts[','] += 1
        if (digits.includes(',')) counts['.'] += 1
      }
    } else if (typeof value === 'object' && value !== null)
      waiting.push(...Object.values(value as Readonly<Record<string, Json>>))
  }
  if (counts['.'] === counts[',']) return undefined
  return counts['.'] > counts[','] ? '.' : ','
}

function digitsIn(text: string): string | undefined {
  return number
    .exec(text)?.[0]
    .replaceAll(/[ \u00a0\u202f'’]/g, '')
    .replace('−', '-')
}

/** Returns the decimal separator that a number shows by itself; `none` if it has no fraction. */
function decimalOf(digits: string): Separator | 'none' | 'ambiguous' {
  const found = digits.match(/[.,]/g) ?? []
  const last = found.at(-1)
  if (last !== '.' && last !== ',') return 'none'
  if (found.filter((one) => one === last).length > 1) return 'none'
  if (found.length > 1) return last
  const [whole = '', fraction = ''] = digits.replace('-', '').split(last)
  return fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? 'ambiguous' : last
}

function defaultDecimal(digits: string, text: string): Separator | 'none' {
  return currency.test(text) || digits.includes(',') ? 'none' : '.'
}
