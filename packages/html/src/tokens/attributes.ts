import { makeAttributes } from '../tree/tree.ts'
import { decode } from './entities.ts'
import { nameReader } from './names.ts'

// Parses the inside of a start tag, from the end of its name to its `>`.

/** Reused for every tag. */
export interface TagInside {
  attributes: Record<string, string> | undefined
  selfClosing: boolean
  count: number
  /** Index after `>`, or -1 if the page ends inside the tag. */
  end: number
  /** Whether any element had too many attributes. */
  dropped: boolean
}

const likelyNames =
  'alt aria-controls aria-expanded aria-hidden aria-label charset class colspan content crossorigin d data-id data-src ' +
  'data-srcset datetime decoding dir fill for height hidden href hreflang id itemprop itemscope itemtype lang loading ' +
  'media method name onclick placeholder property rel role rowspan sizes src srcset style tabindex target title type ' +
  'value viewbox width xmlns'

const readName = nameReader(
  likelyNames.split(' ').map((name) => [name, name]),
  (name) => name,
)

const quote = 0x22
const apostrophe = 0x27
const slash = 0x2f
const equals = 0x3d
const greater = 0x3e

/** Returns whether the code is white space in HTML. Carriage returns have already been converted to line feeds. */
export const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c

/**
 * Reads the inside of a tag from index `from` into `inside`, whose `end` is the index after the tag, or -1 if it has no end.
 * Attributes beyond `most` are dropped, which sets `dropped`. Of repeated attributes, only the first is used.
 */
export function readInside(html: string, from: number, most: number, inside: TagInside): void {
  inside.attributes = undefined
  inside.selfClosing = false
  inside.count = 0
  let at = from
  while (at >= 0 && at < html.length) {
    const first = html.charCodeAt(at)
    if (first === greater) {
      inside.end = at + 1
      return
    }
    if (isSpace(first)) at++
    else if (first === slash) inside.selfClosing = html.charCodeAt(++at) === greater
    else at = readAttribute(html, at, most, inside)
  }
  inside.end = -1
}

/** Returns the index after the attribute, or -1 if the page ends inside it. */
function readAttribute(html: string, from: number, most: number, inside: TagInside): number {
  // A leading `=` is part of the name.
  let end = from + 1
  while (end < html.length && !endsName(html.charCodeAt(end))) end++
  const name = readName(html, from, end)
  let at = skipSpace(html, end)
  if (html.charCodeAt(at) !== equals) {
    keep(name, '', most, inside)
    return at
  }
  at = skipSpace(html, at + 1)
  const opening = html.charCodeAt(at)
  const isQuoted = opening === quote || opening === apostrophe
  if (isQuoted) end = html.indexOf(opening === quote ? '"' : "'", ++at)
  else for (end = at; end < html.length && !endsValue(html.charCodeAt(end));) end++
  if (end < 0) return -1
  keep(name, html.slice(at, end), most, inside)
  return isQuoted ? end + 1 : end
}

/** Adds an attribute. Of repeated ones only the first is used. */
function keep(name: string, written: string, most: number, inside: TagInside): void {
  const isFirst = inside.attributes === undefined
  const attributes = (inside.attributes ??= makeAttributes())
  if (!isFirst && name in attributes) return
  if (++inside.count > most) inside.dropped = true
  else attributes[name] = decode(written, 'value')
}

function skipSpace(html: string, from: number): number {
  let at = from
  while (isSpace(html.charCodeAt(at))) at++
  return at
}

const endsName = (code: number): boolean => code === equals || code === greater || code === slash || isSpace(code)
const endsValue = (code: number): boolean => code === greater || isSpace(code)
