// Tables that continue on the next page.
import type { Block, Cell, Row, Table, TableBlock } from '../types.ts'
import { joinRuns, type Words } from './join.ts'
import { textOf } from './lines.ts'

const near = 6
const maxNoteLength = 80
const note = /\b(?:continued|cont['\u2019.]?d?\b|fortsetzung|fortgesetzt|suite|continuaci[o\u00f3]n|continua)/iu

/**
 * Joins tables that continue on the next page: the last block of one page and the first one of the next. Heads that are repeated
 * there, and notes such as "Table 2 (continued)" between the parts, are omitted. A row that the page break splits becomes one.
 */
export function joinTables(blocks: readonly Block[], words: Words): Block[] {
  const joined: Block[] = []
  // The last page of the table at the end of `joined`, and the notes after it.
  let page = 0
  let notes: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (last?.kind === 'table' && isNote(block) && block.page <= page + 1) {
      notes.push(block)
      continue
    }
    if (block.kind === 'table' && last?.kind === 'table' && block.page === page + 1 && isSameTable(last, block)) {
      joined[joined.length - 1] = joinParts(last, block, words)
    } else joined.push(...notes, block)
    notes = []
    page = block.page
  }
  return [...joined, ...notes]
}

/** Returns whether a block is a note that a table continues. */
function isNote(block: Block): boolean {
  return block.kind === 'text' && block.lines === 1 && block.text.length <= maxNoteLength && note.test(block.text)
}

/** Returns whether two tables have the same columns: with the same head, at the same place, or with their text at the same place. */
function isSameTable(first: TableBlock, second: TableBlock): boolean {
  if (widthOf(first.rows) !== widthOf(second.rows) || !first.box || !second.box) return false
  return (
    repeatedRows(first.rows, second.rows) > 0 ||
    (isNear(first.box.left, second.box.left) && isNear(first.box.right, second.box.right)) ||
    areSameColumns(first, second)
  )
}

/** Returns whether the text of each column begins or ends at the same position, in at least two columns. */
function areSameColumns(first: Table, second: Table): boolean {
  if (first.columns.length !== second.columns.length) return false
  const pairs = first.columns.flatMap((column, at) => {
    const other = second.columns[at]
    return column && other ? [isNear(column.left, other.left) || isNear(column.right, other.right)] : []
  })
  return pairs.length >= 2 && pairs.every(Boolean)
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < near
}

/** Returns the number of columns, from the first row, in which no cell can come from above. */
function widthOf([first]: readonly Row[]): number {
  return first?.cells.reduce((sum, { colspan }) => sum + colspan, 0) ?? 0
}

function joinParts(first: TableBlock, second: TableBlock, words: Words): TableBlock {
  const repeated = repeatedRows(first.rows, second.rows)
  const [top, ...rest] = second.rows.slice(repeated).map((row) => ({ ...row, isHead: false }))
  const bottom = first.rows.at(-1)
  const others = [...first.rows, ...rest]
  if (!top || !bottom || !isRestOfRow(bottom, top, others))
    return { ...first, rows: [...first.rows, ...(top ? [top] : []), ...rest] }
  const cells = bottom.cells.map((cell, at) => {
    const below = top.cells[at]
    return below && !isEmpty(below) ? { ...cell, runs: joinRuns(cell.runs, below.runs, words) } : cell
  })
  return { ...first, rows: [...first.rows.slice(0, -1), { ...bottom, cells }, ...rest] }
}

/**
 * Returns whether the first row of a page is the rest of the last row before it. Each of its filled cells continues a filled
 * cell, and either its first cell is empty as in no other row, or the cells continue in the middle of a sentence.
 */
function isRestOfRow(bottom: Row, top: Row, others: readonly Row[]): boolean {
  const cells = [...bottom.cells, ...top.cells]
  if (bottom.isHead || bottom.cells.length !== top.cells.length) return false
  if (cells.some(({ colspan, rowspan }) => colspan > 1 || rowspan > 1)) return false
  const pairs = top.cells.flatMap((cell, at) => (isEmpty(cell) ? [] : [[bottom.cells[at], cell] as const]))
  if (pairs.length === 0 || pairs.some(([above]) => !above || isEmpty(above))) return false
  const isNamed = ({ cells: [name] }: Row): boolean => name !== undefined && !isEmpty(name)
  if (!isNamed(top) && others.every(isNamed)) return true
  return pairs.every(([above, below]) => above && goesOn(textOf(above.runs), textOf(below.runs)))
}

function goesOn(above: string, below: string): boolean {
  return /[\p{L}\p{N},\-\u2010\u00ad]\s*$/u.test(above) && /^\s*\p{Ll}/u.test(below) && above.length > 20
}

function isEmpty({ runs }: Cell): boolean {
  return textOf(runs).trim() === ''
}

/** Returns how many rows at the beginning of the second table repeat the head of the first. */
function repeatedRows(first: readonly Row[], second: readonly Row[]): number {
  const head = Math.max(1, first.filter(({ isHead }) => isHead).length)
  for (let count = head; count > 0; count--)
    if (keyOf(first.slice(0, count)) === keyOf(second.slice(0, count))) return count
  return 0
}

function keyOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(({ cells }) => cells.map(({ runs, colspan }) => [textOf(runs).trim(), colspan])))
}
