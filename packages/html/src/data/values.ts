import { parseHtml } from '../parse/parse.ts'
import { lineOf } from '../tree/walk.ts'
import { wordsOf } from './annotations.ts'
import type { Concept } from './concepts.ts'
import type { ScalarShape } from './shape.ts'
import type { Scalar } from './types.ts'

/**
 * Converts a page's value to a field's type. Returns `undefined` if it does not clearly fit, or if the field does not allow it.
 */
export function coerce(raw: Scalar, shape: ScalarShape, kind: Concept['kind']): Scalar | undefined {
  const value = convert(raw, shape, kind)
  if (value === undefined) return undefined
  if (shape.allowed) return shape.allowed.find((allowed) => isSame(allowed, value)) as Scalar | undefined
  return typeof value !== 'number' || (value >= shape.minimum && value <= shape.maximum) ? value : undefined
}

function convert(raw: Scalar, shape: ScalarShape, kind: Concept['kind']): Scalar | undefined {
  switch (shape.type) {
    case 'boolean':
      return kind === 'availability' ? isAvailable(String(raw)) : asBoolean(raw)
    case 'number':
    case 'integer': {
      const number = asNumber(raw, kind)
      return number !== undefined && (shape.type === 'number' || Number.isInteger(number)) ? number : undefined
    }
    case 'string':
      return asText(raw, shape, kind)
  }
}

const plain = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

function isSame(allowed: unknown, value: Scalar): boolean {
  return allowed === value || (typeof allowed === 'string' && plain(allowed) === plain(value))
}

function asBoolean(raw: Scalar): boolean | undefined {
  if (typeof raw === 'boolean') return raw
  const word = plain(raw)
  if (word === 'true' || word === 'yes') return true
  return word === 'false' || word === 'no' ? false : undefined
}

/**
 * Returns whether a product is available now, given a state of schema.org, `yes`, `no` or similar. `undefined` for other
 * states, such as pre-order or back-order, and for unknown words.
 */
export function isAvailable(raw: string): boolean | undefined {
  const state = stateOf(raw)
  if (state === undefined) return asBoolean(raw)
  return available.has(state) ? true : unavailable.has(state) ? false : undefined
}

/** The availability states of schema.org. */
const states: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'InStock',
      'LimitedAvailability',
      'InStoreOnly',
      'OnlineOnly',
      'OutOfStock',
      'SoldOut',
      'Discontinued',
      'PreOrder',
    ],
    ...['PreSale', 'BackOrder', 'MadeToOrder', 'Reserved'],
  ].map((state) => [state.toLowerCase(), state]),
)
const synonyms: ReadonlyMap<string, string> = new Map([
  ['available', 'InStock'],
  ['instockonline', 'InStock'],
  ['oos', 'OutOfStock'],
  ['unavailable', 'OutOfStock'],
])
const available = new Set(['InStock', 'LimitedAvailability', 'InStoreOnly', 'OnlineOnly'])
const unavailable = new Set(['OutOfStock', 'SoldOut', 'Discontinued'])

function stateOf(raw: string): string | undefined {
  const word = plain(raw.replace(/^.*\//, ''))
  return states.get(word) ?? synonyms.get(word)
}

function asNumber(raw: Scalar, kind: Concept['kind']): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined
  if (typeof raw === 'boolean') return undefined
  return readNumber(raw, kind === 'price')
}

/** Matches a number in a string, with its separators. */
export const numberPattern = /\d[\d.,' \u00A0\u202F]*/g

/**
 * Parses a string with exactly one number, or returns `undefined`: `1,299.00`, `1.299,00 €`, `4.5/5`, `(123)`. Three
 * digits after the only separator of a price are thousands. For other numbers, a dot is ambiguous there (`undefined`),
 * a comma is not.
 */
export function readNumber(text: string, isPrice: boolean): number | undefined {
  const numbers = text.match(numberPattern) ?? []
  const [digits = '', ...more] = numbers.map(digitsOf)
  // Pages often repeat a number for screen readers.
  if (digits === '' || more.some((other) => other !== digits)) return undefined
  const isNegative = new RegExp(`[-−]\\s*\\D{0,3}${escape(numbers[0]!)}`).test(text)
  const value = withOneDot(digits, isPrice)
  if (value === undefined) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? (isNegative ? -number : number) : undefined
}

const digitsOf = (text: string): string => text.replaceAll(/[' \u00A0\u202F]/g, '').replace(/[.,]+$/, '')
const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function withOneDot(digits: string, isPrice: boolean): string | undefined {
  const signs: readonly string[] = digits.match(/[.,]/g) ?? []
  const last = signs.at(-1)
  if (last === undefined) return digits
  const other = last === '.' ? ',' : '.'
  const tail = digits.length - digits.lastIndexOf(last) - 1
  // With both separators, the last one is the decimal point and may occur only once.
  if (signs.includes(other)) {
    if (signs.filter((sign) => sign === last).length > 1) return undefined
    return digits.replaceAll(other, '').replace(last, '.')
  }
  if (signs.length > 1) return /^\d{1,3}(?:[.,]\d{3})+$/.test(digits) ? digits.replaceAll(last, '') : undefined
  if (tail !== 3) return digits.replace(last, '.')
  if (digits.startsWith('0')) return digits.replace(last, '.')
  return isPrice || last === ',' ? digits.replace(last, '') : undefined
}

function asText(raw: Scalar, { format }: ScalarShape, kind: Concept['kind']): string | undefined {
  const text = typeof raw === 'string' ? cleanText(raw) : String(raw)
  if (text === '') return undefined
  if (format === 'uri' || format === 'url' || kind === 'url') return /^https?:\/\/\S+$/i.test(text) ? text : undefined
  if (format === 'date' || format === 'date-time' || kind === 'date') return asDate(text, format)
  if (format === 'email') return /^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined
  if (kind === 'availability') return stateOf(text)
  if (kind === 'currency') return /^[A-Z]{3}$/i.test(text) ? text.toUpperCase() : undefined
  if (kind === 'price') return readNumber(text, true) === undefined ? undefined : withoutRepetition(text)
  if (kind === 'person') return asPerson(text)
  return text
}

/** Removes a repetition: `109€ 109€` becomes `109€`. */
function withoutRepetition(text: string): string {
  const [, second] = [...text.matchAll(numberPattern)]
  return second ? text.slice(0, second.index).trim() : text
}

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Returns an ISO 8601 date in the format of the schema. Returns `undefined` for other dates, which are ambiguous. */
function asDate(text: string, format: string): string | undefined {
  const found = iso.exec(text)
  if (!found) return undefined
  const day = `${found[1]}-${found[2]}-${found[3]}`
  if (format === 'date') return day
  if (format !== 'date-time') return text
  return found[4] === undefined ? undefined : text.replace(' ', 'T')
}

/** Returns a person's name, or `undefined` for URLs, e-mails and account names. */
function asPerson(text: string): string | undefined {
  const name = text.replace(/^(?:by|von|par|por)\s+/i, '').replace(/\s+\|.*$/s, '')
  return /^https?:|@|^\d+$|^admin$/i.test(name) || name.length > 120 ? undefined : name
}

const markup = /<\/?[a-z][^<>]*>|&(?:[a-z]+|#x?[\da-f]+);/i

/** Returns a value as plain text on one line, without the tags and character references that pages put into their data. */
export function cleanText(text: string): string {
  if (!markup.test(text)) return lineOf(text)
  const once = wordsOf(parseHtml(text, { nodes: 20_000, depth: 50 }).body)
  // References are often escaped twice.
  return /&(?:amp|[a-z]{2,6}|#\d+);/.test(once) ? wordsOf(parseHtml(once, { nodes: 20_000, depth: 50 }).body) : once
}
