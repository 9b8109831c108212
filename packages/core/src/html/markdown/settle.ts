import { delimits, escapeLineStart, escapeText, mayClose, mayOpen, type Around } from './escape.ts'
import { closes, firstCode, isEdge, kindOf, lastCode, opens, space } from './flanking.ts'
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

// Makes a complete run final: chooses delimiters, escapes texts.

/** Where the run stands: the code points around it, and whether pipes or footnote marks mean something there. */
export interface Place {
  readonly startsLine: boolean
  readonly inCell: boolean
  readonly hasFootnotes: boolean
}

/** After this the texts of the run, joined, are its Markdown. */
export function settle(run: Run, place: Place): void {
  const mask = maskOf(run, place)
  if (!run.styled && (run.signs & mask) === 0) settlePlain(run, place)
  else settleStyled(run, place, mask)
}

function settlePlain(run: Run, place: Place): void {
  let startsLine = place.startsLine
  for (let i = 0; i < run.size; i++) {
    const text = run.texts[i] as string
    if (startsLine && (run.kinds[i] as number) <= token.linkText) run.texts[i] = startLine(run, i, text)
    if (text !== '') startsLine = run.kinds[i] === token.lineBreak && text.includes('\n')
  }
}

function settleStyled(run: Run, place: Place, mask: number): void {
  const around: Around = { before: place.startsLine ? 10 : 32, after: 10, inLink: false }
  const outer: Outer = [[], [], [], []]
  let startsLine = place.startsLine
  for (let i = 0; i < run.size; i++) {
    const kind = run.kinds[i] as number
    if (kind === token.open) chooseDelimiter(run, i, around.before, outer)
    else if (kind === token.close) outer[run.styles[i] as number]?.pop()
    else if (kind <= token.linkText) run.texts[i] = settleText(run, i, { mask, around, startsLine })
    const text = run.texts[i] as string
    if (text === '') continue
    startsLine = kind === token.lineBreak && text.includes('\n')
    around.before = startsLine ? 10 : lastCode(text)
  }
}

interface Texting {
  readonly mask: number
  readonly around: Around
  readonly startsLine: boolean
}

function settleText(run: Run, at: number, { mask, around, startsLine }: Texting): string {
  const text = run.texts[at] as string
  around.after = codeAfter(run, at)
  around.inLink = run.kinds[at] === token.linkText
  const escaped = escapeText(text, around.inLink ? mask | openBracket | closeBracket : mask, around)
  const hasStart = escaped !== text && escaped.charCodeAt(0) === 92 && text.charCodeAt(0) !== 92
  return startsLine && !hasStart ? startLine(run, at, escaped) : escaped
}

// A text alone on its line may be a rule or an underline, one with something after it may not.
function startLine(run: Run, at: number, text: string): string {
  const isWhole = run.size === at + 1 || run.kinds[at + 1] === token.lineBreak
  if (isWhole) return escapeLineStart(text, at === 0)
  const following = `${(run.texts[at + 1] as string).charAt(0)}x`
  return escapeLineStart(text + following, at === 0).slice(0, -following.length)
}

function codeAfter(run: Run, at: number): number {
  for (let i = at + 1; i < run.size; i++) {
    const text = run.texts[i] as string
    if (text !== '') return firstCode(text)
  }
  return 10
}

function codeBefore(run: Run, at: number): number {
  for (let i = at - 1; i >= 0; i--) if (run.texts[i] !== '') return lastCode(run.texts[i] as string)
  return 10
}

const delimiters: readonly (readonly string[])[] = [[], ['_', '*'], ['**', '__'], ['~~']]
const tags: readonly string[] = ['', 'em', 'strong', 'del']

/** For each style, what it is written with where it is open. */
type Outer = readonly string[][]

/** Takes the first delimiter that will be read as meant between these neighbours, else the HTML tags. */
function chooseDelimiter(run: Run, at: number, before: number, outer: Outer): void {
  const end = run.partners[at] as number
  const style = run.styles[at] as number
  const stack = outer[style] as string[]
  const around = stack.at(-1) ?? ''
  const near = { before, first: codeAfter(run, at), last: codeBefore(run, end), after: codeBehind(run, end, outer) }
  const choices = delimiters[style] as readonly string[]
  const found = choices.find((mark) => fits(mark, near, around) && !closesInto(run, end, mark))
  // Bold within bold, or on a lone sign of punctuation, says nothing that would be worth tags.
  const isPlain = found === undefined && (around !== '' || isBare(run, at, end))
  run.texts[at] = isPlain ? '' : (found ?? `<${tags[style]}>`)
  run.texts[end] = isPlain ? '' : (found ?? `</${tags[style]}>`)
  stack.push(isPlain ? around : (run.texts[at] as string))
}

/** What follows a closing delimiter. A mark within its like may yet turn out to be nothing. */
function codeBehind(run: Run, end: number, outer: Outer): number {
  const next = end + 1
  const mayVanish = next < run.size && run.kinds[next] === token.open && (outer[run.styles[next] as number]?.length ?? 0) > 0
  return codeAfter(run, mayVanish ? next : end)
}

interface Neighbours {
  readonly before: number
  readonly first: number
  readonly last: number
  readonly after: number
}

function fits(mark: string, { before, first, last, after }: Neighbours, outer: string): boolean {
  const code = mark.charCodeAt(0)
  if (before === code || !opens(before, first) || !closes(last, after)) return false
  // Right after a word or sign it would be taken for the end of what is around.
  if (mark === outer && kindOf(before) !== space) return false
  return code !== 95 || (isEdge(before) && isEdge(after))
}

/** Right before the closing delimiter of what is around, the same character would merge with it. */
function closesInto(run: Run, end: number, mark: string): boolean {
  if (end + 1 >= run.size || run.kinds[end + 1] !== token.close) return false
  return (run.texts[end + 1] as string).charCodeAt(0) === mark.charCodeAt(0)
}

/** Is there but a sign of punctuation inside, such as the colon after a bold word? */
function isBare(run: Run, at: number, end: number): boolean {
  if (end !== at + 2 || run.kinds[at + 1] !== token.text || run.styles[at] === 3) return false
  return /^[\p{P}\p{S}]{1,2}$/u.test(run.texts[at + 1] as string)
}

function maskOf(run: Run, place: Place): number {
  let mask = less | ampersand | backslash | closeBracket | linkBracket | (run.signs & bang)
  if (place.inCell) mask |= pipe
  if (place.hasFootnotes) mask |= openBracket
  if (run.signs & star && (run.styled || hasPair(run, star))) mask |= star
  if (run.signs & underscore && (run.styled || hasPair(run, underscore))) mask |= underscore
  if (run.signs & tilde && (run.styled || hasPair(run, tilde))) mask |= tilde
  if (run.signs & backtick && (run.coded || hasTwoRuns(run, backtick))) mask |= backtick
  return mask
}

/** Is there a run of this sign that may open something, and later another that may close it? */
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
      const before = start > 0 ? text.charCodeAt(start - 1) : codeBefore(run, i)
      const after = k + 1 < text.length ? text.charCodeAt(k + 1) : codeAfter(run, i)
      if ((sign === backtick || delimits(sign, before, after)) && found(before, after)) return true
    }
  }
  return false
}
