import { isEdge, kindOf, space } from './flanking.ts'
import {
  ampersand,
  backslash,
  backtick,
  bang,
  closeBracket,
  less,
  openBracket,
  pipe,
  signOf,
  star,
  tilde,
  underscore,
} from './signs.ts'

// A backslash stands only where the text would otherwise be read as something else.

/** What stands around a text: code points, a line feed for the edge of a line. */
export interface Around {
  before: number
  after: number
  inLink: boolean
}

const runs = star | underscore | backtick | tilde

/** Escapes the signs of `mask` wherever they could mean something. */
export function escapeText(text: string, mask: number, around: Around): string {
  let escaped = ''
  let from = 0
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i)
    const sign = code < 128 ? (signOf[code] as number) & mask : 0
    const end = (sign & runs) === 0 ? i + 1 : endOfRun(text, i)
    if (sign !== 0 && matters(sign, text, i, end, around)) {
      escaped += text.slice(from, i)
      for (let k = i; k < end; k++) escaped += '\\' + text.charAt(k)
      from = end
    }
    i = end
  }
  return from === 0 ? text : escaped + text.slice(from)
}

function endOfRun(text: string, start: number): number {
  const code = text.charCodeAt(start)
  let end = start + 1
  while (text.charCodeAt(end) === code) end++
  return end
}

function matters(sign: number, text: string, start: number, end: number, around: Around): boolean {
  const after = end < text.length ? text.charCodeAt(end) : around.after
  switch (sign) {
    case backtick:
    case pipe:
      return true
    case star:
    case underscore:
    case tilde:
      return delimits(sign, start > 0 ? text.charCodeAt(start - 1) : around.before, after)
    case less:
      return isLetter(after) || after === 47 || after === 33 || after === 63
    case ampersand:
      return isEntity(text, start)
    case backslash:
      return after === 10 || (after < 128 && after > 32 && isEdge(after))
    case openBracket:
      return around.inLink || after === 94
    case closeBracket:
      return around.inLink || after === 40
    case bang:
      return end === text.length && after === 91
    default:
      return false
  }
}

/** Could a run of this sign open or close something? Inside a word `_` cannot. */
export function delimits(sign: number, before: number, after: number): boolean {
  if (kindOf(before) === space && kindOf(after) === space) return false
  return sign !== underscore || !(kindOf(before) === 0 && kindOf(after) === 0)
}

/** Read either way: whether a symbol counts as punctuation depends on the version of the rules. */
export function mayOpen(sign: number, before: number, after: number): boolean {
  return kindOf(after) !== space && delimits(sign, before, after)
}

export function mayClose(sign: number, before: number, after: number): boolean {
  return kindOf(before) !== space && delimits(sign, before, after)
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

const entity = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/y

function isEntity(text: string, at: number): boolean {
  entity.lastIndex = at
  return entity.test(text)
}

/** Escapes what at the start of a line would begin a block. `isFirst`: of a paragraph, not after a line break in it. */
export function escapeLineStart(line: string, isFirst: boolean): string {
  switch (line.charCodeAt(0)) {
    case 35: // #
      return /^#{1,6}(?:[ \t]|$)/.test(line) ? '\\' + line : line
    case 62: // >
      return '\\' + line
    case 43: // +
      return /^\+(?:[ \t]|$)/.test(line) ? '\\' + line : line
    case 45: // -
      return /^-(?:[ \t]|$)/.test(line) || isRule(line) ? '\\' + line : line
    case 42: // *
      return /^\*(?:[ \t]|$)/.test(line) || isRule(line) ? '\\' + line : line
    case 95: // _
      return isRule(line) ? '\\' + line : line
    case 61: // =
      return !isFirst && /^=+ ?$/.test(line) ? '\\' + line : line
    case 96: // `
      return line.startsWith('```') ? '\\' + line : line
    case 126: // ~
      return line.startsWith('~~~') ? '\\' + line : line
    case 58: // :
    case 124: // |
      return !isFirst && /^[-|: ]+$/.test(line) ? '\\' + line : line
    case 91: // [
      return isFirst && (line.includes(']:') || /^\[[ xX]\](?: |$)/.test(line)) ? '\\' + line : line
    default:
      return escapeNumber(line)
  }
}

/** Only dashes, stars or underscores: a thematic break, or after a line break the underline of a heading or table. */
function isRule(line: string): boolean {
  const sign = line.charCodeAt(0)
  for (let i = 1; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code !== sign && code !== 32 && code !== 124 && code !== 58) return false
  }
  return true
}

function escapeNumber(line: string): string {
  const number = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line)
  return number ? `${number[0]}\\${line.slice(number[0].length)}` : line
}
