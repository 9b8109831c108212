import { codeBefore, isEdge, kindOf, space } from './flanking.ts'
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

// Escapes characters only where Markdown would interpret them.

/** The characters before and after a string, as code points. A line feed represents the edge of a line. */
export interface Around {
  before: number
  after: number
  inLink: boolean
}

const runs = star | underscore | backtick | tilde

/** Escapes the characters in `mask` wherever Markdown might interpret them. */
export function escapeText(text: string, mask: number, around: Around): string {
  let escaped = ''
  let from = 0
  for (let i = 0; i < text.length;) {
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
  const after = text.codePointAt(end) ?? around.after
  if ((sign & runs) !== 0) {
    if (sign === backtick) return true
    return delimits(sign, start > 0 ? codeBefore(text, start) : around.before, after)
  }
  switch (sign) {
    case less:
      return startsTag(after)
    case ampersand:
      return isEntity(text, start)
    case backslash:
      return after === 10 || (after < 128 && after > 32 && isEdge(after))
    case openBracket:
      return around.inLink || after === caret
    case closeBracket:
      return around.inLink || after === parenthesis
    case bang:
      return end === text.length && after === bracket
    default:
      return sign === pipe
  }
}

const caret = 94
const parenthesis = 40
const bracket = 91

/** Returns whether the code point is a letter, `/`, `!` or `?`. */
function startsTag(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 47 || code === 33 || code === 63
}

/**
 * Returns whether a run of this character, between the code points `before` and `after`, could open or close something. `_`
 * inside a word cannot.
 */
export function delimits(sign: number, before: number, after: number): boolean {
  if (kindOf(before) === space && kindOf(after) === space) return false
  return sign !== underscore || !(kindOf(before) === 0 && kindOf(after) === 0)
}

/**
 * Returns whether a run of this character, between these code points, opens something in any version of CommonMark. The
 * versions disagree on whether symbols count as punctuation.
 */
export function mayOpen(sign: number, before: number, after: number): boolean {
  return kindOf(after) !== space && delimits(sign, before, after)
}

/**
 * Returns whether a run of this character, between these code points, closes something in any version of CommonMark.
 */
export function mayClose(sign: number, before: number, after: number): boolean {
  return kindOf(before) !== space && delimits(sign, before, after)
}

const entity = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/y

function isEntity(text: string, at: number): boolean {
  entity.lastIndex = at
  return entity.test(text)
}

type StartsBlock = (line: string, isFirst: boolean) => boolean

/**
 * By first character of a line: tests whether the line would start a block. `isFirst` means the first line of a
 * paragraph.
 */
const lineStarts: ReadonlyMap<string, StartsBlock> = new Map<string, StartsBlock>([
  ['#', (line) => /^#{1,6}(?:[ \t]|$)/.test(line)],
  ['>', () => true],
  ['+', (line) => /^\+(?:[ \t]|$)/.test(line)],
  ['-', (line, isFirst) => /^-(?:[ \t]|$)/.test(line) || (isFirst ? isRule(line) : isUnderline(line))],
  ['*', (line) => /^\*(?:[ \t]|$)/.test(line) || isRule(line)],
  ['_', (line) => isRule(line)],
  ['`', (line) => line.startsWith('```')],
  ['~', (line) => line.startsWith('~~~')],
  ['[', (line, isFirst) => isFirst && (line.includes(']:') || /^\[[ xX]\](?: |$)/.test(line))],
  // Below text, these would make it a heading or a table header.
  ['=', (line, isFirst) => !isFirst && /^=+ ?$/.test(line)],
  [':', (line, isFirst) => !isFirst && isUnderline(line)],
  ['|', (line, isFirst) => !isFirst && isUnderline(line)],
])

/**
 * Escapes characters that would start a block at the start of a line. `isFirst`: whether it is the first line of a paragraph.
 */
export function escapeLineStart(line: string, isFirst: boolean): string {
  const first = line.charCodeAt(0)
  if (first >= 48 && first <= 57) return escapeNumber(line)
  if (lineStarts.get(line.charAt(0))?.(line, isFirst) !== true) return line
  // All of them: after an escaped star, the next one would follow punctuation and be interpreted again.
  return line.replace(/^(?:\*+|_+|.)/s, (signs) => signs.replace(/./gs, '\\$&'))
}

function isRule(line: string): boolean {
  const sign = line.charCodeAt(0)
  let count = 0
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code === sign) count++
    else if (code !== 32) return false
  }
  return count > 2
}

/** Returns whether the line would underline a heading or a table header. */
function isUnderline(line: string): boolean {
  return /^[-|: ]+$/.test(line)
}

function escapeNumber(line: string): string {
  const number = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line)
  return number ? `${number[0]}\\${line.slice(number[0].length)}` : line
}
