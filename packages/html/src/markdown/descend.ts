import type { Element, Node } from '../tree/tree.ts'
import { addCode } from './backticks.ts'
import { shownText } from './look.ts'
import { enter, flush, gapBefore, leave, type Sheet } from './sheet.ts'
import { pushText } from './text.ts'

// Walks the tree. The writer tables define the output of each element. Elements without a writer are transparent: only
// their children are written.

/** Deeper elements are written as plain text, which limits the call stack. */
export const deepest = 500

/** Writes a text node or an element with the writer for its name. Nodes to skip are omitted. */
export function writeNode(sheet: Sheet, node: Node): void {
  if (sheet.leftOut.has(node)) return
  if (node.type === 'text') writeText(sheet, node.text)
  else writeElement(sheet, node)
}

/** Writes the children of an element, except nodes in `leftOut` and links back from footnotes. */
export function writeChildren(sheet: Sheet, element: Element): void {
  for (let child = element.first; child; child = child.next) writeNode(sheet, child)
}

function writeElement(sheet: Sheet, element: Element): void {
  if (sheet.footnotes?.backlinks.has(element)) return
  if (sheet.depth >= deepest) {
    writeText(sheet, shownText(element, sheet.leftOut))
    return
  }
  sheet.depth++
  const isFlow = sheet.room === 'flow'
  const write = (isFlow ? sheet.flowWriters : sheet.lineWriters).get(element.name)
  const note = isFlow && sheet.footnotes?.labels.get(element)
  if (note) writeNote(sheet, element, note)
  else if (write) write(sheet, element)
  else writeChildren(sheet, element)
  sheet.depth--
}

function writeText(sheet: Sheet, text: string): void {
  if (sheet.inCode) addCode(sheet.run, text, sheet.room === 'cell')
  else pushText(sheet.run, text)
}

function writeNote(sheet: Sheet, element: Element, label: string): void {
  flush(sheet)
  const outer = enter(sheet, gapBefore(sheet, 'html'), `[^${label}]: `, '    ')
  writeChildren(sheet, element)
  flush(sheet)
  leave(sheet, outer, 'html')
}

/** Writes a block without its own syntax: its children, separated from the content before and after. */
export function writeBlock(sheet: Sheet, element: Element): void {
  flush(sheet)
  writeChildren(sheet, element)
  flush(sheet)
}
