import type { Element } from '../tree/tree.ts'
import { writeBlock, writeChildren } from './descend.ts'
import { onlyChild, shapeOf } from './look.ts'
import { finishRun, flush, type BlockKind, type ElementWriter } from './sheet.ts'

// GFM has no definition lists. This writes the common extension: a term on its own line, and `: ` with its definition
// below. It stays readable where it is not supported. Definitions of several blocks are written as blocks below the
// term.

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

/** Returns the element that contains all text, if that is a single line. */
function lineOf(element: Element): Element | undefined {
  const only = onlyChild(element)
  const inner = only?.type === 'element' && (only.name === 'p' || only.name === 'div') ? only : element
  return shapeOf(inner) === 'inline' ? inner : undefined
}
