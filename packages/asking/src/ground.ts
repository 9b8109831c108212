// Finds where a page contains a value that a model returned. Values that are not on the page are marked, not removed.
import type { Json } from '@harvestman/ports'

/** Where a value was found in the Markdown of a page. */
export interface Grounding {
  /** The value with some surrounding text. */
  readonly quote: string
  /** Offset of the value in the Markdown, in characters from 0. */
  readonly position: number
}

/** The start and end offsets of a passage. */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

/** A document that is prepared for searching. */
export interface GroundedText {
  /** Returns `undefined` if the value is not on the page. */
  find(value: Json): Grounding | undefined
  /** Returns up to 20 occurrences of a value, all in the same notation. */
  findAll(value: Json): readonly TextSpan[]
  /** Returns the offsets of a passage, which may start or end within a word. */
  span(passage: string): TextSpan | undefined
}

const maxOccurrences = 20

const around = 60
const maxQuoteLength = 300

/**
 * Prepares a document for searching. Matching ignores case, accents, Markdown syntax, the tags of tables that are written as
 * HTML, and repeated whitespace. Quotes from such tables have no tags. `find` matches whole words, and numbers and ISO dates in other notations too; it finds no booleans, lists or objects. `span` returns
 * `undefined` for a passage that is not in the text.
 */
export function indexText(text: string): GroundedText {
  const { folded, places } = fold(text)
  const spanAt = (start: number, length: number): TextSpan => {
    const last = places[start + length - 1] ?? text.length - 1
    return { from: places[start]!, to: last + (matchAt(entity, text, last) || ' ').length }
  }
  const findAll = (value: Json, most: number): readonly TextSpan[] => {
    for (const written of waysToWrite(value)) {
      const { folded: wanted } = fold(written)
      const found: TextSpan[] = []
      let at = wanted === '' ? -1 : indexOfWhole(folded, wanted, 0)
      while (at >= 0 && found.length < most) {
        found.push(spanAt(at, wanted.length))
        at = found.length < most ? indexOfWhole(folded, wanted, at + 1) : -1
      }
      if (found.length > 0) return found
    }
    return []
  }
  return {
    span: (passage) => {
      const { folded: wanted } = fold(passage)
      const start = wanted === '' ? -1 : folded.indexOf(wanted)
      return start < 0 ? undefined : spanAt(start, wanted.length)
    },
    findAll: (value) => findAll(value, maxOccurrences),
    find: (value) => {
      const [first] = findAll(value, 1)
      return first && { quote: quoteAt(text, first.from, first.to), position: first.from }
    },
  }
}

function quoteAt(text: string, from: number, to: number): string {
  const line = text.lastIndexOf('\n', from) + 1
  const start = Math.max(line, from - around)
  const lineEnd = text.indexOf('\n', to)
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, to + around, start + maxQuoteLength)
  const quote = text.slice(start, Math.max(end, Math.min(to, start + maxQuoteLength)))
  // A value in a tag is in the URL of a link.
  const isInTag = quote.lastIndexOf('<', from - start) > quote.lastIndexOf('>', from - start)
  if (isInTag || !/^[\s>]*<tr>/.test(text.slice(line, line + maxQuoteLength))) return quote.trim()
  return plainRow(quote, start > line)
}

/** Returns the text of a part of a row that is written as HTML. Tags and entities may be cut at both ends. */
function plainRow(html: string, isCut: boolean): string {
  return (isCut ? html.replace(/^[^<>]*>|^[a-z]{0,4};/, '') : html)
    .replace(/(?:<[^<>]*|&[a-z]{0,4})$/, '')
    .replaceAll(/<[^<>]*>/g, (tag) => (inlineTag.test(tag) ? '' : ' '))
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (written) => entities[written] ?? written)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Finds whole words only: `12` does not match in `120`, nor `Ann` in `Annex`. */
function indexOfWhole(text: string, wanted: string, from: number): number {
  const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
  for (let start = text.indexOf(wanted, from); start >= 0; start = text.indexOf(wanted, start + 1)) {
    const before = isWord(wanted[0]) && isWord(text[start - 1])
    const end = start + wanted.length
    const after = isWord(wanted.at(-1)) && (isWord(text[end]) || /^[.,]\d/.test(text.slice(end, end + 2)))
    if (!before && !after) return start
  }
  return -1
}

function fold(text: string): { readonly folded: string; readonly places: readonly number[] } {
  // An array, because appending to a string and reading it each time would copy the string each time.
  const signs: string[] = []
  const places: number[] = []
  let last = ' '
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (marks.has(sign)) continue
    // Markup of a table that is written as HTML, which has no values of the page.
    const written = sign === '<' ? matchAt(tag, text, at) : sign === '&' ? matchAt(entity, text, at) : ''
    const plain = written === '' ? foldSign(sign) : plainOf(written)
    if (plain !== ' ' || last !== ' ')
      for (const one of plain) {
        signs.push(one)
        places.push(at)
        last = one
      }
    if (written !== '') at += written.length - 1
  }
  const folded = signs.join('').trimEnd()
  return { folded, places: places.slice(0, folded.length) }
}

// The URL of a link is not markup.
const tag =
  /<\/?(?:table|tr|t[hd](?: (?:col|row)span="\d+")*|a|b|strong|i|em|u|s|del|code|kbd|mark|sub|sup|ul|ol|li|blockquote|pre)>|<br>|<a href="/y
const inlineTag = /^<\/?(?:a|b|strong|i|em|u|s|del|code|kbd|mark)\b/
const entity = /&(?:amp|lt|gt|quot);/y
const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** Returns the match of a sticky pattern at a position, or an empty string. */
function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** Returns the text of a tag or an entity. A tag separates words, unless it only formats them. */
function plainOf(written: string): string {
  const sign = entities[written]
  if (sign !== undefined) return marks.has(sign) ? '' : sign
  return inlineTag.test(written) && !written.endsWith('"') ? '' : ' '
}

const marks = new Set('*_`\\#>|~')

function foldSign(sign: string): string {
  if (sign <= ' ') return ' '
  if (sign < '\u007f') return sign.toLowerCase()
  if (/\s/.test(sign)) return ' '
  return sign.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Returns the ways a page may write a value: numbers with thousands separators, dates with month names. */
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

/**
 * Returns every primitive value in a value with its JSON Pointer, without `null`. Empty objects and lists have none. `pointer`
 * is put in front of each.
 */
export function listLeafValues(value: Json, pointer = ''): readonly (readonly [pointer: string, value: Json])[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [[pointer, value]]
  return Object.entries(value).flatMap(([name, part]) =>
    part === undefined ? [] : listLeafValues(part, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}
