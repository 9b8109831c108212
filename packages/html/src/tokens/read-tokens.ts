// The tokenizer of the HTML standard. Searches for the next `<` instead of checking each character.
import { isSpace, readInside, type TagInside } from './attributes.ts'
import { decode } from './entities.ts'
import type { ReadName } from './names.ts'
import { endOfRawText } from './raw-text.ts'

/** Receives tokens and builds the tree. */
export interface TokenSink<Name> {
  readonly nameAt: ReadName<Name>
  /** Receives decoded text, possibly in several chunks. */
  readonly text: (found: string) => void
  /** Returns how to tokenize the content after the tag: as HTML, raw up to its end tag, or raw up to the end of the page. */
  readonly startTag: (name: Name, inside: TagInside) => TokenMode
  readonly endTag: (name: Name) => void
  readonly doctype: (written: string) => void
  /** Whether `<![CDATA[` has a meaning here. */
  readonly isForeign: () => boolean
  /** Returns false to ignore the rest of the page. */
  readonly goesOn: () => boolean
}

export type TokenMode = 'page' | 'raw text' | 'raw text with entities' | 'plain text'

const slash = 0x2f
const exclamation = 0x21
const question = 0x3f

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

/** Tokenizes a page. Returns whether any element had more than `most` attributes. */
export function readTokens<Name>(html: string, sink: TokenSink<Name>, most: number): boolean {
  const inside: TagInside = { attributes: undefined, selfClosing: false, count: 0, end: 0, dropped: false }
  let start = 0
  let at = html.indexOf('<')
  while (at >= 0 && sink.goesOn()) {
    const next = html.charCodeAt(at + 1)
    let end: number
    if (isLetter(next)) {
      giveText(html, start, at, sink)
      end = readStartTag(html, at, sink, most, inside)
    } else if (next === slash && at + 2 < html.length) {
      giveText(html, start, at, sink)
      end = readEndTag(html, at, sink, most, inside)
    } else if (next === exclamation || next === question) {
      giveText(html, start, at, sink)
      end = readMarkup(html, at, sink)
    } else {
      at = html.indexOf('<', at + 1)
      continue
    }
    start = end
    at = html.indexOf('<', end)
  }
  if (sink.goesOn()) giveText(html, start, html.length, sink)
  return inside.dropped
}

function giveText(html: string, from: number, to: number, sink: Pick<TokenSink<never>, 'text'>): void {
  if (to > from) sink.text(decode(html.slice(from, to), 'text'))
}

function endOfName(html: string, from: number): number {
  let end = from
  while (end < html.length) {
    const code = html.charCodeAt(end)
    if (code === 0x3e || code === slash || isSpace(code)) break
    end++
  }
  return end
}

/** Returns the index after the tag. A tag that the page ends in is dropped. */
function readStartTag<Name>(html: string, at: number, sink: TokenSink<Name>, most: number, inside: TagInside): number {
  const nameEnd = endOfName(html, at + 1)
  readInside(html, nameEnd, most, inside)
  if (inside.end < 0) return html.length
  const reading = sink.startTag(sink.nameAt(html, at + 1, nameEnd), inside)
  if (reading === 'page') return inside.end
  const name = html.slice(at + 1, nameEnd).toLowerCase()
  const end = reading === 'plain text' ? html.length : endOfRawText(html, inside.end, name)
  const text = html.slice(inside.end, end)
  if (text !== '') sink.text(reading === 'raw text with entities' ? decode(text, 'text') : text)
  return end
}

function readEndTag<Name>(html: string, at: number, sink: TokenSink<Name>, most: number, inside: TagInside): number {
  if (!isLetter(html.charCodeAt(at + 2))) return afterMark(html, '>', at + 2)
  const nameEnd = endOfName(html, at + 2)
  readInside(html, nameEnd, most, inside)
  if (inside.end < 0) return html.length
  sink.endTag(sink.nameAt(html, at + 2, nameEnd))
  return inside.end
}

const doctype = /^<!doctype/i

/** Reads comments, doctypes, CDATA sections, and invalid markup that the standard treats as a comment. */
function readMarkup(html: string, at: number, sink: Omit<TokenSink<never>, 'nameAt'>): number {
  if (html.startsWith('<!--', at)) return endOfComment(html, at + 4)
  if (html.startsWith('<![CDATA[', at) && sink.isForeign()) {
    const end = html.indexOf(']]>', at)
    const text = html.slice(at + 9, end < 0 ? html.length : end)
    if (text !== '') sink.text(text)
    return end < 0 ? html.length : end + 3
  }
  const end = afterMark(html, '>', at)
  if (doctype.test(html.slice(at, at + 9))) sink.doctype(html.slice(at + 2, end - 1))
  return end
}

function afterMark(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

/** Returns the index after a comment, which may end with `<!-->`, `<!--->`, `-->` or `--!>`. */
function endOfComment(html: string, from: number): number {
  if (html.charCodeAt(from) === 0x3e) return from + 1
  if (html.startsWith('->', from)) return from + 2
  for (let at = html.indexOf('--', from); at >= 0; at = html.indexOf('--', at + 1)) {
    if (html.charCodeAt(at + 2) === 0x3e) return at + 3
    if (html.charCodeAt(at + 2) === exclamation && html.charCodeAt(at + 3) === 0x3e) return at + 4
  }
  return html.length
}
