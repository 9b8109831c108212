import type { Element } from '../tree/tree.ts'
import { writeBlock, writeChildren } from './descend.ts'
import { onlyChild, shapeOf } from './look.ts'
import { finishRun, flush, type BlockKind, type ElementWriter } from './sheet.ts'

// GFM has no lists of terms. The usual extension is written: a term on its line, and below it `: ` and what it means.
// Where that is not known the two still read as what they are. A meaning of several blocks stands below its term.

function entry(kind: BlockKind, opening: string): ElementWriter {
  return (sheet, element) => {
    flush(sheet)
    const line = lineOf(element)
    if (!line) return writeBlock(sheet, element)
    writeChildren(sheet, line)
    finishRun(sheet, kind, opening)
  }
}

export const writeTerm: ElementWriter = entry('term', '')
export const writeMeaning: ElementWriter = entry('meaning', ': ')

/** The element that holds the words, if they are one line. */
function lineOf(element: Element): Element | undefined {
  const only = onlyChild(element)
  const inner = only?.type === 'element' && (only.name === 'p' || only.name === 'div') ? only : element
  return shapeOf(inner) === 'inline' ? inner : undefined
}
