import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { findMatching, type LeftOut } from './look.ts'

/** The rows of a table in display order, and its captions. */
export interface TableParts {
  readonly rows: readonly Element[]
  readonly captions: readonly Element[]
  /** Whether the first row is the header. */
  readonly hasHead: boolean
  /** Whether there is a header cell or a caption. */
  readonly isMarked: boolean
  /** Maximum number of cells in a row. */
  readonly widest: number
}

/** Returns the captions and rows of a table, with its head first and its foot last. Nodes in `leftOut` are omitted. */
export function partsOf(table: Element, leftOut: LeftOut): TableParts {
  const captions: Element[] = []
  const head: Element[] = []
  const body: Element[] = []
  const foot: Element[] = []
  const isShown = (node: Node): node is Element => node.type === 'element' && !leftOut.has(node)
  for (let part = table.first; part; part = part.next) {
    if (!isShown(part)) continue
    if (part.name === 'caption') captions.push(part)
    else if (part.name === 'tr') body.push(part)
    else {
      const group = part.name === 'thead' ? head : part.name === 'tfoot' ? foot : body
      for (let row = part.first; row; row = row.next) if (isShown(row) && row.name === 'tr') group.push(row)
    }
  }
  const rows = [...head, ...body, ...foot]
  let widest = 0
  let isMarked = captions.length > 0 || head.length > 0
  for (const row of rows) {
    const { cells, headings } = countCells(row)
    widest = Math.max(widest, cells)
    isMarked ||= headings > 0
  }
  return { rows, captions, widest, isMarked, hasHead: head.length > 0 || isHeadRow(rows[0]) }
}

function countCells(row: Element): { cells: number; headings: number } {
  let cells = 0
  let headings = 0
  for (let cell = row.first; cell; cell = cell.next) {
    if (cell.type !== 'element') continue
    if (cell.name === 'th') headings++
    if (isCell(cell)) cells++
  }
  return { cells, headings }
}

function isHeadRow(row: Element | undefined): boolean {
  if (!row) return false
  const { cells, headings } = countCells(row)
  return headings > 0 && headings === cells
}

/** Returns whether the node is a `td` or `th`. */
export function isCell(node: Node): node is Element {
  return node.type === 'element' && (node.name === 'td' || node.name === 'th')
}

const layoutBlocks: ReadonlySet<string> = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'article', 'section'])
const textBlocks: ReadonlySet<string> = new Set(['p', 'ul', 'ol', 'pre', 'blockquote', 'dl'])
const maxTextBlocks = 3

/** Returns whether the table is used for layout only. Its cells are then written as ordinary blocks. */
export function isLayout(table: Element, parts: TableParts): boolean {
  const { role } = table.attributes
  if (role === 'presentation' || role === 'none') return true
  if (parts.isMarked) return false
  return parts.widest < 2 || holdsLayout(table) || (parts.rows.length === 1 && holdsBlocks(table))
}

function holdsLayout(table: Element): boolean {
  let inCell = false
  let blocks = 0
  for (let node = nextNode(table, table); node; node = nextNode(node, table)) {
    if (node.type !== 'element') continue
    if (node.name === 'td' || node.name === 'th') {
      inCell = true
      blocks = 0
    } else {
      if (layoutBlocks.has(node.name)) return true
      if (inCell && textBlocks.has(node.name) && ++blocks > maxTextBlocks) return true
    }
  }
  return false
}

function holdsBlocks(table: Element): boolean {
  return findMatching(table, ({ name }) => textBlocks.has(name)) !== undefined
}
