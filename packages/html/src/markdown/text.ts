import { Slices } from '../tree/slices.ts'
import { isFixedSpace } from './flanking.ts'
import { makeRoom, openMarks, pushToken, token, type Run } from './run.ts'
import { blank, closeBracket, isBlankCode, linkBracket, openBracket, signOf } from './signs.ts'

// Collapses white space as HTML does: runs become one space, and none at the edges of a block. Removes invisible
// characters (soft hyphens, zero-width spaces), but keeps joiners, which affect letters and emoji.

/** Adds text to the run with its white space collapsed, and without invisible characters such as soft hyphens. */
export function pushText(run: Run, text: string): void {
  const length = text.length
  let start = 0
  let broken = false
  for (; start < length; start++) {
    const code = text.charCodeAt(start)
    if (!isBlankCode(code)) break
    if (code === 10) broken = true
  }
  if (start > 0) addSpace(run, broken)
  if (start === length) return
  let end = length
  broken = false
  while (isBlankCode(text.charCodeAt(end - 1))) if (text.charCodeAt(--end) === 10) broken = true
  pushWords(run, text, start, end)
  if (end < length) addSpace(run, broken)
}

function addSpace(run: Run, broken: boolean): void {
  if (run.space !== 1) run.space = broken ? 2 : 1
}

// Fast path: most strings are plain. A character class and a search for double spaces detect that faster than one
// combined regular expression or the loop below, as V8 checks several characters of a class at once.
const sign = /[\t\n\f\r!&*<[-\]_`|~\u00ad\u200b\u2060\ufeff]/
const longText = 32

function pushWords(run: Run, text: string, start: number, end: number): void {
  let words = start === 0 && end === text.length ? text : text.slice(start, end)
  if (words.length > longText && !sign.test(words) && !words.includes('  ')) return place(run, words, 0)
  let signs = 0
  let messy = false
  let invisible = false
  for (let i = 0; i < words.length; i++) {
    const code = words.charCodeAt(i)
    if (code < 128) {
      const found = signOf[code] as number
      if (found === 0) continue
      if (found !== blank) signs |= found
      else if (code !== 32 || isBlankCode(words.charCodeAt(i + 1))) messy = true
    } else if (code === 0xad || (code >= 0x200b && isInvisible(code))) {
      invisible = true
    }
  }
  if (invisible) words = words.replace(/[\u00AD\u200B\u2060\uFEFF]+/g, '')
  if (messy) words = squeezed(words)
  if (words !== '') place(run, words, signs)
}

function isInvisible(code: number): boolean {
  return code === 0x200b || code === 0x2060 || code === 0xfeff
}

/** Replaces each run of white space with a space. Removes it if it is a line break between wide characters. */
function squeezed(text: string): string {
  const slices = new Slices()
  let from = 0
  for (let index = 0; index < text.length; index += 1) {
    if (!isBlankCode(text.charCodeAt(index))) continue
    const start = index
    let broken = text.charCodeAt(index) === 10
    while (isBlankCode(text.charCodeAt(index + 1))) if (text.charCodeAt(++index) === 10) broken = true
    if (index === start && text.charCodeAt(start) === 32) continue
    slices.add(text.slice(from, start))
    const joins = broken && isWide(text.charCodeAt(start - 1)) && isWide(text.charCodeAt(index + 1))
    if (!joins) slices.add(' ')
    from = index + 1
  }
  slices.add(text.slice(from))
  return slices.join()
}

function place(run: Run, words: string, signs: number): void {
  const first = words.charCodeAt(0)
  if (run.space === 2 && isWide(first) && isWide(run.lastCode)) run.space = 0
  if (isFixedSpace(first)) words = placeBlanks(run, words)
  if (words === '') return
  makeRoom(run)
  openMarks(run)
  pushToken(run, run.inLink ? token.linkText : token.text, words)
  run.signs |= run.inLink && signs & (openBracket | closeBracket) ? signs | linkBracket : signs
  run.lastCode = words.charCodeAt(words.length - 1)
  run.solid = true
  run.code = undefined
}

/** Writes leading no-break spaces before the marks that are about to open, as delimiters before a space are ignored. */
function placeBlanks(run: Run, words: string): string {
  let end = 1
  while (end < words.length && isFixedSpace(words.charCodeAt(end))) end++
  const rest = words.slice(end)
  if (rest !== '' && run.opened === run.marks.length) return words
  makeRoom(run)
  pushToken(run, run.inLink ? token.linkText : token.text, words.slice(0, end))
  run.lastCode = 0xa0
  run.code = undefined
  return rest
}

/** Returns whether the character is Han, kana or their punctuation. A line break between two of them is not a space. */
function isWide(code: number): boolean {
  if (code < 0x2e80) return false
  if (code <= 0x9fff) return true
  return (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe4f) || (code >= 0xff01 && code <= 0xff60)
}
