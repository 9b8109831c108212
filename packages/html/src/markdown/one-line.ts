import type { Element } from '../tree/tree.ts'
import { writeChildren } from './descend.ts'
import { endLine, writeApart, writeLine } from './inline.ts'
import { addMark, endMark } from './run.ts'
import type { ElementWriter, Sheet } from './sheet.ts'

// Writes blocks where only one line is possible. In table cells they stay HTML, as GFM allows; in links and headings
// only their text remains.

/** Writes the element as HTML, with Markdown inside. */
export const writeAsHtml: ElementWriter = (sheet, element) => {
  if (sheet.room !== 'cell') return writeLine(sheet, element)
  startTag(sheet)
  addMark(sheet.run, 0, `<${element.name}>`, `</${element.name}>`)
  writeChildren(sheet, element)
  endMark(sheet.run)
  startTag(sheet)
}

// Tags of blocks end the line themselves.
function startTag({ run }: Sheet): void {
  run.space = 0
  run.breaks = 0
  run.atEdge = true
}

/** Writes the element as HTML in a table cell, and elsewhere as text separated by spaces. */
export const writeCellAsHtml: ElementWriter = (sheet, element) => {
  if (sheet.room === 'cell') writeAsHtml(sheet, element)
  else writeApart(sheet, element)
}

/** Writes a heading where only one line is possible: on its own line, and bold in a table cell. */
export const writeHeadingInLine: ElementWriter = (sheet, element) => {
  endLine(sheet)
  if (sheet.room === 'cell') addMark(sheet.run, 2, '**', '**')
  writeChildren(sheet, element)
  if (sheet.room === 'cell') endMark(sheet.run)
  endLine(sheet)
}

/** Writes a horizontal rule where only one line is possible: as a line break. */
export const writeRuleInLine = (sheet: Sheet, _rule: Element): void => endLine(sheet)
