import { isFixedSpace } from './flanking.ts'
import { bang } from './signs.ts'

// The inline content of one block, as tokens. What a delimiter may look like and what text must be escaped depends on
// both neighbours, so nothing is decided before the block is complete (`settle.ts`).

export const token = { text: 0, linkText: 1, raw: 2, open: 3, close: 4, lineBreak: 5 } as const

/** A pair of delimiters. It is written only when something stands inside. */
interface Mark {
  /** 1 emphasis, 2 strong, 3 struck out: the delimiter is chosen later. 0: it is as given. */
  readonly style: number
  opening: string
  closing: string
  /** Where the opening token is; meaningless while the mark is not open. */
  at: number
  /** Written around the first content only, however many blocks stand inside. */
  readonly once: boolean
}

export interface Run {
  readonly texts: string[]
  readonly kinds: number[]
  /** For an opening or closing token, where the other one is. */
  readonly partners: number[]
  /** And what it stands for. */
  readonly styles: number[]
  size: number
  /** The signs of all texts. */
  signs: number
  /** Has it delimiters to choose? */
  styled: boolean
  /** White space waiting for content: 0 none, 1 a space, 2 a space that was a line break in the source. */
  space: number
  /** Line breaks waiting for content. */
  breaks: number
  /** The last code unit of text; 0 after anything else. */
  lastCode: number
  /** Nothing stands on the line yet, so that spaces and breaks are dropped. */
  atEdge: boolean
  /** Does it hold more than no-break spaces? */
  solid: boolean
  inLink: boolean
  readonly marks: Mark[]
  /** How many of the marks have their opening token in the run. */
  opened: number
  /** The content of the code span at the end of the run, which a following one must join. */
  code: string | undefined
  /** The same, of the mark that closed last: should it open again, the span is at the end of the run again. */
  closedCode: string | undefined
  /** Are there backticks besides those of the texts? */
  coded: boolean
  /** How a line break is written here, and where the waiting ones were met. */
  lineBreak: string
  waitingBreak: string
}

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

export function pushToken(run: Run, kind: number, text: string): void {
  run.texts[run.size] = text
  run.kinds[run.size] = kind
  run.size++
}

/** Writes what waits before content: space or line breaks. */
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

export function setBreaks(run: Run, breaks: number): void {
  if (run.atEdge) return
  run.breaks = breaks
  run.waitingBreak = run.lineBreak
  run.space = 0
}

export function openMarks(run: Run): void {
  while (run.opened < run.marks.length) {
    const mark = run.marks[run.opened] as Mark
    run.opened++
    if (joinPrevious(run, mark)) continue
    mark.at = run.size
    run.styles[run.size] = mark.style
    if (mark.style > 0) run.styled = true
    // A text that ends in `!` would turn the link into an image.
    else if (mark.opening === '[' && run.lastCode === 33) run.signs |= bang
    pushToken(run, mark.style > 0 ? token.open : token.raw, mark.opening)
    run.code = undefined
  }
}

// `<b>a</b><b>b</b>` is one bold word: closing and opening again at once would be read as something else.
function joinPrevious(run: Run, mark: Mark): boolean {
  const last = run.size - 1
  if (mark.style === 0 || last < 0 || run.kinds[last] !== token.close || run.texts[last] !== mark.closing) return false
  mark.at = run.partners[last] as number
  run.size = last
  run.code = run.closedCode
  return true
}

export function addMark(run: Run, style: number, opening: string, closing: string, once = false): void {
  run.marks.push({ style, opening, closing, at: 0, once })
}

/** Ends the innermost mark. One without content leaves no trace. */
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

// A closing delimiter after a no-break space would not be seen as one.
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

/** Closes what is open, so that the run can stand alone. The marks open again around what follows. */
export function closeMarks(run: Run): void {
  for (let i = run.opened - 1; i >= 0; i--) {
    const mark = run.marks[i] as Mark
    closeMark(run, mark)
    if (mark.once) mark.opening = mark.closing = ''
  }
  run.opened = 0
}

/** Adds what is Markdown or HTML already: an image, a tag, a formula. */
export function pushRaw(run: Run, text: string): void {
  makeRoom(run)
  openMarks(run)
  pushToken(run, token.raw, text)
  if (text.includes('`')) run.coded = true
  run.solid = true
  run.lastCode = 0
  run.code = undefined
}

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
