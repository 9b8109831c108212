import type { Block, Row, TableBlock } from '../types.ts'
import { textOf } from './lines.ts'

const near = 6

/** Joins tables that go on on the next page, without the heads that are repeated there. */
export function joinTables(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  // The last page of the table at the end of `joined`.
  let page = 0
  for (const block of blocks) {
    const last = joined.at(-1)
    if (block.kind === 'table' && last?.kind === 'table' && block.page === page + 1 && isSameTable(last, block)) {
      joined[joined.length - 1] = { ...last, rows: [...last.rows, ...restOf(last.rows, block.rows)] }
    } else joined.push(block)
    page = block.page
  }
  return joined
}

/** Returns whether two tables have the same columns at the same place. */
function isSameTable(first: TableBlock, second: TableBlock): boolean {
  if (widthOf(first.rows) !== widthOf(second.rows) || !first.box || !second.box) return false
  const isAt = (a: number, b: number): boolean => Math.abs(a - b) < near
  return (
    repeatedRows(first.rows, second.rows) > 0 ||
    (isAt(first.box.left, second.box.left) && isAt(first.box.right, second.box.right))
  )
}

/** Returns the number of columns, from the first row, in which no cell can come from above. */
function widthOf([first]: readonly Row[]): number {
  return first?.cells.reduce((sum, { colspan }) => sum + colspan, 0) ?? 0
}

function restOf(first: readonly Row[], second: readonly Row[]): Row[] {
  return second.slice(repeatedRows(first, second)).map((row) => ({ ...row, isHead: false }))
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
