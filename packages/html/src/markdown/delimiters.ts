import { closes, firstCode, isEdge, kindOf, lastCode, opens, space } from './flanking.ts'
import { token, type Run } from './run.ts'
import { signOf } from './signs.ts'

// Chooses the characters for emphasis. Markdown recognizes them only next to certain characters, so each mark gets the
// first delimiter that works there, or else an HTML tag.

const delimiters: readonly (readonly string[])[] = [[], ['_', '*'], ['**', '__'], ['~~']]
const tags: readonly string[] = ['', 'em', 'strong', 'del']

/** For each style, the delimiters of the open marks. */
type Outer = readonly string[][]

/** Chooses the delimiters of all marks. Returns the characters used, as a bit set. */
export function chooseDelimiters(run: Run, startsLine: boolean): number {
  const outer: Outer = [[], [], [], []]
  let before = startsLine ? 10 : 32
  let used = 0
  for (let i = 0; i < run.size; i++) {
    const kind = run.kinds[i]
    if (kind === token.open) used |= chooseDelimiter(run, i, before, outer)
    else if (kind === token.close) outer[run.styles[i] as number]?.pop()
    const text = run.texts[i] as string
    if (text !== '') before = lastCode(text)
  }
  return used
}

/** Uses the first delimiter that Markdown recognizes between these neighbours, or else HTML tags. */
function chooseDelimiter(run: Run, at: number, before: number, outer: Outer): number {
  const end = run.partners[at] as number
  const style = run.styles[at] as number
  const stack = outer[style] as string[]
  const around = stack.at(-1) ?? ''
  const near = { before, first: codeAhead(run, at), last: codeBehind(run, end), after: codeAheadOfEnd(run, end, outer) }
  const choices = delimiters[style] as readonly string[]
  const found = choices.find((mark) => fits(mark, near, around) && !closesInto(run, end, mark))
  // Nested bold, or bold punctuation alone, is not worth HTML tags.
  const isPlain = found === undefined && (around !== '' || isBare(run, at, end))
  run.texts[at] = isPlain ? '' : (found ?? `<${tags[style]}>`)
  run.texts[end] = isPlain ? '' : (found ?? `</${tags[style]}>`)
  stack.push(isPlain ? around : run.texts[at])
  return found === undefined ? 0 : (signOf[found.charCodeAt(0)] as number)
}

/** Returns the code point after a closing delimiter. Skips a nested mark of the same style, as it may be dropped. */
function codeAheadOfEnd(run: Run, end: number, outer: Outer): number {
  const next = end + 1
  const mayVanish =
    next < run.size && run.kinds[next] === token.open && (outer[run.styles[next] as number]?.length ?? 0) > 0
  return codeAhead(run, mayVanish ? next : end)
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
  // Right after a word or punctuation it would close the outer mark.
  if (mark === outer && kindOf(before) !== space) return false
  return code !== 95 || (isEdge(before) && isEdge(after))
}

/** Returns whether the delimiter would merge with the same character of the closing delimiter right after it. */
function closesInto(run: Run, end: number, mark: string): boolean {
  if (end + 1 >= run.size || run.kinds[end + 1] !== token.close) return false
  return (run.texts[end + 1] as string).charCodeAt(0) === mark.charCodeAt(0)
}

/** Returns whether a mark contains only punctuation, such as the colon after a bold word. */
function isBare(run: Run, at: number, end: number): boolean {
  if (end !== at + 2 || run.kinds[at + 1] !== token.text || run.styles[at] === 3) return false
  return /^[\p{P}\p{S}]{1,2}$/u.test(run.texts[at + 1] as string)
}

/** Returns the code point after the token at index `at`, skipping empty tokens, or a line feed at the end. */
export function codeAhead(run: Run, at: number): number {
  for (let i = at + 1; i < run.size; i++) {
    const text = run.texts[i] as string
    if (text !== '') return firstCode(text)
  }
  return 10
}

/** Returns the code point before the token at index `at`, skipping empty tokens, or a line feed at the start. */
export function codeBehind(run: Run, at: number): number {
  for (let i = at - 1; i >= 0; i--) if (run.texts[i] !== '') return lastCode(run.texts[i] as string)
  return 10
}
