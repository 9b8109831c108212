// Where a value of a model stands in the page. One that stands nowhere is not hidden: it is marked.
import type { Json } from '@harvestman/ports'

/** Where a value stands in the Markdown of a page. */
export interface Grounding {
  /** Words of the page, with the value among them. */
  readonly quote: string
  /** The place of the value in the Markdown, in characters from 0. */
  readonly position: number
}

export interface GroundedText {
  /** Nothing when the value stands nowhere. */
  find(value: Json): Grounding | undefined
  /** From where to where a passage stands, also within words. */
  span(passage: string): { readonly from: number; readonly to: number } | undefined
}

const around = 60
const longestQuote = 300

/** Prepares a text for looking values up. Letter case, accents, marks of Markdown and runs of blanks do not count. */
export function groundIn(text: string): GroundedText {
  const { folded, places } = fold(text)
  const spanAt = (start: number, length: number): { readonly from: number; readonly to: number } => ({
    from: places[start]!,
    to: (places[start + length - 1] ?? text.length - 1) + 1,
  })
  const at = (start: number, length: number): Grounding => {
    const { from, to } = spanAt(start, length)
    return { quote: quoteAt(text, from, to), position: from }
  }
  return {
    span: (passage) => {
      const { folded: wanted } = fold(passage)
      const start = wanted === '' ? -1 : folded.indexOf(wanted)
      return start < 0 ? undefined : spanAt(start, wanted.length)
    },
    find: (value) => {
      for (const written of waysToWrite(value)) {
        const { folded: wanted } = fold(written)
        const start = wanted === '' ? -1 : indexOfWhole(folded, wanted)
        if (start >= 0) return at(start, wanted.length)
      }
      return undefined
    },
  }
}

function quoteAt(text: string, from: number, to: number): string {
  const start = Math.max(text.lastIndexOf('\n', from) + 1, from - around)
  const lineEnd = text.indexOf('\n', to)
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, to + around, start + longestQuote)
  return text.slice(start, Math.max(end, Math.min(to, start + longestQuote))).trim()
}

/** `12` is not found within `120`, nor `Ann` within `Annex`. */
function indexOfWhole(text: string, wanted: string): number {
  const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
    const before = isWord(wanted[0]) && isWord(text[start - 1])
    const end = start + wanted.length
    const after = isWord(wanted.at(-1)) && (isWord(text[end]) || /^[.,]\d/.test(text.slice(end, end + 2)))
    if (!before && !after) return start
  }
  return -1
}

function fold(text: string): { readonly folded: string; readonly places: readonly number[] } {
  // A list: a text that grows by one sign and is looked at each time would be copied each time.
  const signs: string[] = []
  const places: number[] = []
  let last = ' '
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (marks.has(sign)) continue
    const plain = foldSign(sign)
    if (plain === ' ' && last === ' ') continue
    for (const one of plain) {
      signs.push(one)
      places.push(at)
      last = one
    }
  }
  const folded = signs.join('').trimEnd()
  return { folded, places: places.slice(0, folded.length) }
}

const marks = new Set('*_`\\#>|~')

function foldSign(sign: string): string {
  if (sign <= ' ') return ' '
  if (sign < '\u007f') return sign.toLowerCase()
  if (/\s/.test(sign)) return ' '
  return sign.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** How a page may write a value: a number with its thousands apart, a date by name. */
function waysToWrite(value: Json): readonly string[] {
  if (typeof value === 'string') return [value, ...datesAs(value)]
  if (typeof value !== 'number' || !Number.isFinite(value)) return []
  const plain = [String(value), value.toFixed(2), value.toFixed(1)].filter((text) => Number(text) === value)
  const grouped = plain.flatMap((text) => {
    const [whole = '', part] = text.split('.')
    const apart = (mark: string): string => whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, mark)
    const tail = (mark: string): string => (part === undefined ? '' : mark + part)
    return [
      apart(',') + tail('.'),
      apart('.') + tail(','),
      apart(' ') + tail(','),
      apart(' ') + tail('.'),
      whole + tail(','),
    ]
  })
  return [...plain, ...grouped]
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

function datesAs(text: string): readonly string[] {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/.exec(text)
  if (!match) return []
  const [, year = '', month = '', day = ''] = match
  const name = months[Number(month) - 1] ?? ''
  const short = name.slice(0, 3)
  const date = String(Number(day))
  return [
    `${year}-${month}-${day}`,
    ...[name, short].flatMap((word) => [
      `${date} ${word} ${year}`,
      `${word} ${date}, ${year}`,
      `${word} ${day}, ${year}`,
      `${date}. ${word} ${year}`,
    ]),
    `${day}.${month}.${year}`,
    `${day}/${month}/${year}`,
    `${month}/${day}/${year}`,
    `${Number(month)}/${date}/${year}`,
  ]
}

/** Every value in a value that is no list and no object, with its JSON Pointer. */
export function leavesOf(value: Json, pointer = ''): readonly (readonly [pointer: string, value: Json])[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [[pointer, value]]
  return Object.entries(value).flatMap(([name, part]) =>
    part === undefined ? [] : leavesOf(part, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}
