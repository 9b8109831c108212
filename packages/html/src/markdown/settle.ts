import { chooseDelimiters, codeAhead, codeBehind } from './delimiters.ts'
import { delimits, escapeLineStart, escapeText, mayClose, mayOpen, type Around } from './escape.ts'
import { codeBefore, lastCode } from './flanking.ts'
import { token, type Run } from './run.ts'
import {
  ampersand,
  backslash,
  backtick,
  bang,
  closeBracket,
  less,
  linkBracket,
  openBracket,
  pipe,
  signOf,
  star,
  tilde,
  underscore,
} from './signs.ts'

// Finalizes a complete run: chooses delimiters and escapes text.

/** The position of a run, which decides whether pipes, footnote marks and line starts need escapes. */
interface Place {
  readonly startsLine: boolean
  readonly inCell: boolean
  readonly hasFootnotes: boolean
}

/** Finalizes the run. Afterwards its tokens, concatenated, are its Markdown. */
export function settle(run: Run, place: Place): void {
  const used = run.styled ? chooseDelimiters(run, place.startsLine) : 0
  const mask = maskOf(run, place, used)
  const around: Around = { before: place.startsLine ? 10 : 32, after: 10, inLink: false }
  const isPlain = (run.signs & mask) === 0
  let startsLine = place.startsLine
  let isFirst = true
  for (let i = 0; i < run.size; i++) {
    const kind = run.kinds[i] as number
    if (kind <= token.linkText && !(isPlain && !startsLine)) {
      const text = isPlain ? (run.texts[i] as string) : settleText(run, i, mask, around)
      run.texts[i] = startsLine ? startLine(run, i, text, isFirst) : text
    }
    const text = run.texts[i] as string
    if (text === '') continue
    startsLine = kind === token.lineBreak && text.includes('\n')
    isFirst = false
    around.before = startsLine ? 10 : lastCode(text)
  }
}

function settleText(run: Run, at: number, mask: number, around: Around): string {
  around.after = codeAhead(run, at)
  around.inLink = run.kinds[at] === token.linkText
  return escapeText(run.texts[at] as string, around.inLink ? mask | openBracket | closeBracket : mask, around)
}

// Only a string alone on its line can be a rule or an underline, so otherwise a character is appended for the check. An
// existing escape cannot be affected, as it starts with a backslash.
function startLine(run: Run, at: number, text: string, isFirst: boolean): string {
  const isFullLine = run.size === at + 1 || run.kinds[at + 1] === token.lineBreak
  if (isFullLine) return escapeLineStart(text, isFirst)
  const following =
    text.startsWith('[') && isFirst ? textFrom(run, at + 1) : `${(run.texts[at + 1] as string).charAt(0)}x`
  return escapeLineStart(text + following, isFirst).slice(0, -following.length)
}

/** Returns the rest of the run, as the closing bracket of a reference definition may be far ahead. */
function textFrom(run: Run, at: number): string {
  return `${run.texts.slice(at, run.size).join('')}x`
}

function maskOf(run: Run, place: Place, used: number): number {
  let mask = less | ampersand | backslash | closeBracket | linkBracket | (run.signs & bang)
  if (place.inCell) mask |= pipe
  if (place.hasFootnotes) mask |= openBracket
  if (run.signs & star && (used & star || hasPair(run, star))) mask |= star
  if (run.signs & underscore && (used & underscore || hasPair(run, underscore))) mask |= underscore
  if (run.signs & tilde && (used & tilde || hasPair(run, tilde))) mask |= tilde
  if (run.signs & backtick && (run.coded || hasTwoRuns(run, backtick))) mask |= backtick
  return mask
}

/** Returns whether a run of this character may open something and a later one may close it. */
function hasPair(run: Run, sign: number): boolean {
  let opened = false
  return someRun(run, sign, (before, after) => {
    if (opened && mayClose(sign, before, after)) return true
    opened ||= mayOpen(sign, before, after)
    return false
  })
}

function hasTwoRuns(run: Run, sign: number): boolean {
  let count = 0
  return someRun(run, sign, () => ++count > 1)
}

function someRun(run: Run, sign: number, found: (before: number, after: number) => boolean): boolean {
  for (let i = 0; i < run.size; i++) {
    if ((run.kinds[i] as number) > token.linkText) continue
    const text = run.texts[i] as string
    for (let k = 0; k < text.length; k++) {
      if (signOf[text.charCodeAt(k)] !== sign) continue
      const start = k
      while (signOf[text.charCodeAt(k + 1)] === sign) k++
      const before = start > 0 ? codeBefore(text, start) : codeBehind(run, i)
      const after = text.codePointAt(k + 1) ?? codeAhead(run, i)
      if ((sign === backtick || delimits(sign, before, after)) && found(before, after)) return true
    }
  }
  return false
}
