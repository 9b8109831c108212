import type { Element } from '../tree/tree.ts'
import { writeChildren } from './descend.ts'
import { onlyChild } from './look.ts'
import { addMark, endMark, setBreaks, type Run } from './run.ts'
import { flush, type ElementWriter, type Sheet } from './sheet.ts'
import { pushText } from './text.ts'

// Inline elements, except links, images, code and formulas.

/**
 * Limits for nested marks. Further ones have no visible effect, but each block would open and close hundreds of them.
 */
const maxMarks = 8
const maxAlike = 3

/**
 * Returns a writer for a style: 1 emphasis, 2 strong, 3 strikethrough. A different delimiter may be chosen later.
 */
function styled(style: number, delimiter: string): ElementWriter {
  return (sheet, element) => {
    const { run } = sheet
    const isPlain = run.marks.length >= maxMarks || countAlike(run, style) >= maxAlike || isReset(element)
    if (isPlain) return writeChildren(sheet, element)
    addMark(run, style, delimiter, delimiter)
    writeChildren(sheet, element)
    endMark(run)
  }
}

function countAlike({ marks }: Run, style: number): number {
  let count = 0
  for (const mark of marks) if (mark.style === style) count++
  return count
}

// Google Docs wraps everything it pastes in `<b style="font-weight:normal">`.
function isReset(element: Element): boolean {
  const { style } = element.attributes
  return style !== undefined && /font-(?:weight|style)\s*:\s*(?:normal|[1-4]00)/i.test(style)
}

export const writeEmphasis: ElementWriter = styled(1, '*')
export const writeStrong: ElementWriter = styled(2, '**')
export const writeStruck: ElementWriter = styled(3, '~~')

/**
 * Writes elements that have no Markdown syntax as HTML. Empty ones are omitted, and deeply nested ones lose their tags.
 */
export const writeTagged: ElementWriter = (sheet, element) => {
  const { run } = sheet
  if (run.marks.length >= maxMarks) return writeChildren(sheet, element)
  addMark(run, 0, `<${element.name}>`, `</${element.name}>`)
  writeChildren(sheet, element)
  endMark(run)
}

/** Writes `sup` as HTML. A link in superscript is a footnote number, so the superscript is dropped. */
export const writeRaised: ElementWriter = (sheet, element) => {
  const only = onlyChild(element)
  const { parent } = element
  const isAround = only?.type === 'element' && only.name === 'a'
  if (isAround || (parent?.name === 'a' && onlyChild(parent) === element)) writeChildren(sheet, element)
  else writeTagged(sheet, element)
}

/** Writes the content of `q` in quotation marks. Empty ones are omitted. */
export const writeQuoted: ElementWriter = (sheet, element) => {
  addMark(sheet.run, 0, '"', '"')
  writeChildren(sheet, element)
  endMark(sheet.run)
}

/** Separates controls with spaces, even if there are none in the source. */
export const writeApart: ElementWriter = (sheet, element) => {
  pushText(sheet.run, ' ')
  writeChildren(sheet, element)
  pushText(sheet.run, ' ')
}

/** Writes ruby text in parentheses, unless the page has its own for browsers without ruby. */
export const writeReading: ElementWriter = (sheet, element) => {
  const hasBrackets = element.previous?.type === 'element' && element.previous.name === 'rp'
  if (hasBrackets) return writeChildren(sheet, element)
  addMark(sheet.run, 0, '(', ')')
  writeChildren(sheet, element)
  endMark(sheet.run)
}

/**
 * Writes a line break. Two in a row start a new paragraph, except inside list items, links and other places limited to
 * one line.
 */
export const writeBreak: ElementWriter = (sheet) => {
  const { run } = sheet
  if (run.breaks > 0 && sheet.room === 'flow' && !sheet.tight) {
    flush(sheet)
    return
  }
  setBreaks(run, Math.min(run.breaks + 1, sheet.room === 'cell' ? 2 : 1))
}

/** Writes a block where only one line is possible: on its own line. */
export const writeLine: ElementWriter = (sheet, element) => {
  endLine(sheet)
  writeChildren(sheet, element)
  endLine(sheet)
}

/**
 * Starts a new line, or adds a space in headings, where no line break is possible. Nothing is added at the start of a
 * block.
 */
export function endLine(sheet: Sheet): void {
  const { run } = sheet
  if (sheet.room === 'heading') {
    if (run.space === 0) run.space = 1
  } else {
    setBreaks(run, sheet.room === 'link' ? 2 : 1)
  }
}

/** Writer for elements that are omitted with their content. */
export const writeNothing: ElementWriter = () => undefined
