import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { addCode, reference } from './backticks.ts'
import { languageOf } from './code-language.ts'
import { codeText, isCodeTable } from './code-text.ts'
import { endLine } from './inline.ts'
import { findMatching } from './look.ts'
import { pushRaw } from './run.ts'
import { beginBlock, flush, type ElementWriter, type Sheet } from './sheet.ts'

/** Writes a fenced code block, with its language if the markup names one. */
export const writePre: ElementWriter = (sheet, element) => {
  flush(sheet)
  const code = findMatching(element, ({ name }) => name === 'code')
  writeFence(sheet, codeText(element, sheet.leftOut), languageOf(element, code))
}

/** Writes a table whose first column numbers the lines of code in the second. Returns false for other tables. */
export function writeCodeTable(sheet: Sheet, table: Element): boolean {
  if (!isCodeTable(table)) return false
  flush(sheet)
  const code = lastCode(table)
  const text = codeText(table, sheet.leftOut)
  // Removes the source's indentation before the first row.
  writeFence(sheet, text.replace(/^\s*\n/, ''), languageOf(table, code))
  return true
}

/** Returns the last code element, as the first one may contain the line numbers. */
function lastCode(table: Element): Element | undefined {
  let last: Element | undefined
  for (let node = nextNode(table, table); node; node = nextNode(node, table)) {
    if (node.type === 'element' && (node.name === 'code' || node.name === 'pre')) last = node
  }
  return last
}

function writeFence(sheet: Sheet, source: string, language: string): void {
  const text = source.replace(/\n[ \t]*$/, '')
  const fence = fenceFor(text)
  beginBlock(sheet, 'code')
  sheet.out.push(fence + language)
  if (source !== '') {
    sheet.out.push('\n')
    pushLines(sheet, text)
  }
  sheet.out.push(`\n${sheet.prefix}${fence}`)
}

function pushLines(sheet: Sheet, text: string): void {
  const { out, prefix, blank } = sheet
  if (prefix === '') {
    out.push(text)
    return
  }
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    if (i > 0) out.push('\n')
    out.push(line === '' ? blank : prefix)
    out.push(line)
  }
}

function fenceFor(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

/** Writes code where blocks are not possible: one span per line, or HTML for several lines in a table cell. */
export const writePreInLine: ElementWriter = (sheet, element) => {
  const lines = codeText(element, sheet.leftOut).replace(/^\n+/, '').trimEnd().split('\n')
  endLine(sheet)
  if (lines.length > 1 && sheet.room === 'cell') {
    pushRaw(sheet.run, `<pre>${lines.map(escapeHtml).join('<br>')}</pre>`)
  } else {
    for (const line of lines) {
      addCode(sheet.run, line, sheet.room === 'cell')
      endLine(sheet)
    }
  }
  endLine(sheet)
}

function escapeHtml(line: string): string {
  return line.replace(/[&<>*_`[\]\\|~$!]/g, reference)
}
