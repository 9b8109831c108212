import { isFixedSpace } from './flanking.ts'
import { bang } from './signs.ts'

// The inline content of one block, as tokens. Delimiters and escapes depend on the neighbours on both sides, so they
// are decided only when the block is complete (`settle.ts`).

export const token = { text: 0, linkText: 1, raw: 2, open: 3, close: 4, lineBreak: 5 } as const

/** A pair of delimiters. Written only if it has content. */
interface Mark {
  /** 1 emphasis, 2 strong, 3 strikethrough: the delimiter is chosen later. 0: written as given. */
  readonly style: number
  opening: string
  closing: string
  /** Index of the opening token. Only valid while the mark is open. */
  at: number
  /** Whether to wrap only the first content, even if several blocks are inside. */
  readonly once: boolean
}

export interface Run {
  readonly texts: string[]
  readonly kinds: number[]
  /** For an opening or closing token: index of its counterpart. */
  readonly partners: number[]
  /** For an opening or closing token: its style. */
  readonly styles: number[]
  size: number
  /** Special characters in all text tokens, as a bit set. */
  signs: number
  /** Whether delimiters must be chosen. */
  styled: boolean
  /** Pending white space: 0 none, 1 a space, 2 a space that was a line break in the source. */
  space: number
  /** Number of pending line breaks. */
  breaks: number
  /** Last code unit if the last token is text, otherwise 0. */
  lastCode: number
  /** Whether the line is still empty, so that spaces and breaks are dropped. */
  atEdge: boolean
  /** Whether it contains more than no-break spaces. */
  solid: boolean
  inLink: boolean
  readonly marks: Mark[]
  /** Number of marks whose opening token has been written. */
  opened: number
  /** Content of the code span at the end of the run. Adjacent code is merged into it. */
  code: string | undefined
  /** The value of `code` before the last mark closed. Restored if that mark is reopened. */
  closedCode: string | undefined
  /** Whether there are backticks outside of text tokens. */
  coded: boolean
  /** How a line break is written at the current position, and at the position of the pending ones. */
  lineBreak: string
  waitingBreak: string
}

/** Creates an empty run: the inline content of one block, as tokens. */
export function makeRun(): Run {
  return {
    texts: [],
    kinds: [],
    partners: [],
    styles: [],
    size: 0,
    signs: 0,
    styled: false,
    space: 0,
    breaks: 0,
    lastCode: 0,
    atEdge: true,
    solid: false,
    inLink: false,
    marks: [],
    opened: 0,
    code: undefined,
    closedCode: undefined,
    coded: false,
    lineBreak: '  \n',
    waitingBreak: '',
  }
}

/** Empties the run after its block has been written. Open marks stay open. */
export function clearRun(run: Run): void {
  run.size = 0
  run.signs = 0
  run.styled = false
  run.space = 0
  run.breaks = 0
  run.lastCode = 0
  run.atEdge = true
  run.solid = false
  run.code = undefined
  run.coded = false
}

/** Appends a token as it is, without pending space or marks. */
export function pushToken(run: Run, kind: number, text: string): void {
  run.texts[run.size] = text
  run.kinds[run.size] = kind
  run.size++
}

/** Writes the pending space or line breaks before new content. */
export function makeRoom(run: Run): void {
  if (run.atEdge) {
    run.atEdge = false
  } else if (run.breaks > 0) {
    for (let i = 0; i < run.breaks; i++) pushToken(run, token.lineBreak, run.waitingBreak)
    run.code = undefined
  } else if (run.space > 0) {
    pushToken(run, token.raw, ' ')
    run.code = undefined
  }
  run.space = 0
  run.breaks = 0
}

/** Requests line breaks before the next content, in place of pending space. Does nothing at the start of a block. */
export function setBreaks(run: Run, breaks: number): void {
  if (run.atEdge) return
  run.breaks = breaks
  run.waitingBreak = run.lineBreak
  run.space = 0
}

/** Writes the opening delimiters of marks that have no content yet. Called before content is added. */
export function openMarks(run: Run): void {
  while (run.opened < run.marks.length) {
    const mark = run.marks[run.opened] as Mark
    run.opened++
    if (joinPrevious(run, mark)) continue
    mark.at = run.size
    run.styles[run.size] = mark.style
    if (mark.style > 0) run.styled = true
    // A `!` before it would turn the link into an image.
    else if (mark.opening === '[' && run.lastCode === 33) run.signs |= bang
    pushToken(run, mark.style > 0 ? token.open : token.raw, mark.opening)
    run.code = undefined
  }
}

// Merges `<b>a</b><b>b</b>` into one bold word: adjacent closing and opening delimiters would be parsed differently.
function joinPrevious(run: Run, mark: Mark): boolean {
  const last = run.size - 1
  if (mark.style === 0 || last < 0 || run.kinds[last] !== token.close || run.texts[last] !== mark.closing) return false
  mark.at = run.partners[last] as number
  run.size = last
  run.code = run.closedCode
  return true
}

/**
 * Starts a mark, such as emphasis or a link. `style` is 1 for emphasis, 2 for strong, 3 for strikethrough, whose delimiters are
 * chosen later, and 0 for a mark that is written as given. It is written with its first content. With `once`, it is not
 * reopened after a block ends.
 */
export function addMark(run: Run, style: number, opening: string, closing: string, once = false): void {
  run.marks.push({ style, opening, closing, at: 0, once })
}

/** Ends the innermost mark. Nothing is written if it has no content. */
export function endMark(run: Run): void {
  const mark = run.marks.pop() as Mark
  if (run.opened <= run.marks.length) return
  run.opened = run.marks.length
  closeMark(run, mark)
}

function closeMark(run: Run, mark: Mark): void {
  if (mark.style === 0) {
    pushToken(run, token.raw, mark.closing)
    if (mark.closing.includes('`')) run.coded = true
  } else {
    run.closedCode = run.code
    const edge = takeTrailingBlanks(run)
    run.partners[mark.at] = run.size
    run.partners[run.size] = mark.at
    run.styles[run.size] = mark.style
    pushToken(run, token.close, mark.closing)
    if (edge !== '') pushToken(run, token.text, edge)
  }
  run.code = undefined
}

// A closing delimiter after a no-break space would not be recognized.
function takeTrailingBlanks(run: Run): string {
  const last = run.size - 1
  const text = run.texts[last] as string
  if ((run.kinds[last] as number) > token.linkText) return ''
  let end = text.length
  while (end > 1 && isFixedSpace(text.charCodeAt(end - 1))) end--
  if (end === text.length) return ''
  run.texts[last] = text.slice(0, end)
  return text.slice(end)
}

/** Closes all open marks at the end of a block. They are reopened for the content that follows. */
export function closeMarks(run: Run): void {
  for (let i = run.opened - 1; i >= 0; i--) {
    const mark = run.marks[i] as Mark
    closeMark(run, mark)
    if (mark.once) mark.opening = mark.closing = ''
  }
  run.opened = 0
}

/** Adds finished Markdown or HTML: an image, a tag, a formula. */
export function pushRaw(run: Run, text: string): void {
  makeRoom(run)
  openMarks(run)
  pushToken(run, token.raw, text)
  if (text.includes('`')) run.coded = true
  run.solid = true
  run.lastCode = 0
  run.code = undefined
}

/** Adds inline code, joined with code directly before it. `write` returns the Markdown for the joined content. */
export function pushCode(run: Run, content: string, write: (content: string) => string): void {
  makeRoom(run)
  openMarks(run)
  if (run.code === undefined) {
    run.code = content
  } else {
    run.size--
    run.code += content
  }
  pushToken(run, token.raw, write(run.code))
  run.solid = true
  run.lastCode = 0
  run.coded = true
}
