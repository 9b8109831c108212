// Determines the type of cells: price, date, number or plain text.
import { readDay, readNumber } from '@harvestman/html/internal'
import type { ItemKind, ItemPrice, ItemValue } from './types.ts'

const maxValueLength = 60
const sign = /[$€£¥₹₽₩]|(?<![\p{L}])(?:EUR|USD|GBP|CHF|AUD|CAD|JPY|PLN|SEK|NOK|DKK|CZK|kr|zł|Kč)(?![\p{L}])/u
const codes: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', '₽': 'RUB', '₩': 'KRW' }
const onlyNumber = /^[+-]?\d[\d.,' \u00A0\u202F]*$/
const aroundPrice = /^[^\d]{0,12}\d[\d.,' \u00A0\u202F]*[^\d]{0,12}$/

/**
 * Parses a cell as a value of this type; a date becomes `2024-05-31`, and text, links and images are unchanged. Returns
 * `undefined` if it is not one, and always for booleans.
 */
export function readValue(words: string, kind: ItemKind): ItemValue | undefined {
  if (kind === 'text' || kind === 'link' || kind === 'image') return words
  if (kind === 'boolean' || words.length > maxValueLength) return undefined
  if (kind === 'price') return readPrice(words)
  if (kind === 'date') return readDay(words, undefined)
  return onlyNumber.test(words) ? readNumber(words, false) : undefined
}

function readPrice(words: string): ItemPrice | undefined {
  const found = sign.exec(words)?.[0]
  if (found === undefined || !aroundPrice.test(words)) return undefined
  const amount = readNumber(words, true)
  return amount === undefined ? undefined : { amount, currency: codes[found] ?? found }
}

/** Returns the type that all cells have: price, number or date, otherwise text, as without cells. */
export function kindOf(words: readonly string[]): ItemKind {
  if (words.length === 0) return 'text'
  const kinds = ['price', 'number', 'date'] as const
  return kinds.find((kind) => words.every((one) => readValue(one, kind) !== undefined)) ?? 'text'
}
