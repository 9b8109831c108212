// Columns of table cells where some cells span rows or columns.
import type { Element } from '@harvestman/html/internal'

/** A cell of a row, with the column where it begins. A cell that spans rows is in each of them. */
export interface PlacedCell {
  readonly cell: Element
  readonly column: number
  readonly columns: number
}

const maxColumns = 200
const maxRows = 65_534

/**
 * Returns the cells of each row of a table, or `undefined` if none of them spans rows or columns. Columns after the 200th are
 * omitted.
 */
export function placeCells(rows: readonly Element[]): ReadonlyMap<Element, readonly PlacedCell[]> | undefined {
  if (!rows.some((row) => tableCells(row).some(isSpanning))) return undefined
  const placed = new Map<Element, readonly PlacedCell[]>()
  let open: (PlacedCell & { readonly left: number })[] = []
  for (const row of rows) {
    const here = new Map(open.flatMap((each) => columnsOf(each).map((column) => [column, each] as const)))
    let column = 0
    for (const cell of tableCells(row)) {
      while (here.has(column)) column += 1
      if (column >= maxColumns) break
      const columns = Math.min(spanOf(cell, 'colspan', maxColumns), maxColumns - column)
      const own = { cell, column, columns, left: spanOf(cell, 'rowspan', maxRows) }
      for (const each of columnsOf(own)) here.set(each, own)
      column += columns
    }
    const cells = [...new Set(here.values())].toSorted((a, b) => a.column - b.column)
    placed.set(row, cells)
    open = cells.flatMap((each) => (each.left > 1 ? [{ ...each, left: each.left - 1 }] : []))
  }
  return placed
}

function columnsOf({ column, columns }: PlacedCell): number[] {
  return Array.from({ length: columns }, (_, at) => column + at)
}

/** Returns the `td` and `th` elements of a row. */
export function tableCells(row: Element): Element[] {
  const cells: Element[] = []
  for (let child = row.first; child; child = child.next)
    if (child.type === 'element' && (child.name === 'td' || child.name === 'th')) cells.push(child)
  return cells
}

function isSpanning(cell: Element): boolean {
  return spanOf(cell, 'colspan', 2) > 1 || spanOf(cell, 'rowspan', 2) > 1
}

function spanOf({ attributes }: Element, name: 'colspan' | 'rowspan', max: number): number {
  const value = attributes[name]
  const span = value === undefined ? 1 : Number.parseInt(value, 10)
  return Number.isFinite(span) ? Math.min(Math.max(1, span), max) : 1
}
