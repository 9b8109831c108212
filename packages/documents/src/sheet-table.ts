// Writes a sheet as a table, without empty rows and columns.
import { link, table, type Cell } from './html/blocks.ts'
import { quotedName } from './refuse.ts'
import { escapeText } from './xml/entities.ts'

/** A cell as the library returns it: type, value, displayed text, link. */
export interface SheetCell {
  readonly t?: string
  readonly v?: unknown
  readonly w?: string
  readonly l?: { readonly Target?: string }
}

interface Place {
  readonly r: number
  readonly c: number
}

export interface SheetView {
  readonly rows: readonly (readonly (SheetCell | undefined)[] | undefined)[]
  readonly merges: readonly { readonly s: Place; readonly e: Place }[]
  /** The last row according to the file. */
  readonly lastRow: number
  /** Number of rows that were read. */
  readonly readRows: number
}

/** What remains of the limits for the following sheets. */
export interface Left {
  rows: number
  cells: number
  characters: number
}

interface Filled {
  readonly row: number
  readonly cells: ReadonlyMap<number, string>
}

/**
 * Returns a sheet as an HTML table, or an empty string if it is empty. Subtracts its rows, cells and characters from `left`,
 * which all sheets share. Rows beyond it are omitted, and `warn` receives a sentence with the sheet's name.
 */
export function layGrid(name: string, sheet: SheetView, left: Left, warn: (sentence: string) => void): string {
  const filled = fillRows(sheet, left)
  const last = Math.max(sheet.lastRow, sheet.rows.length)
  if (filled.isCut) {
    // One row more than is shown was read, to detect that there are more; without a declared range their number is unknown.
    const rest = last > sheet.readRows + 1 || sheet.rows.length <= sheet.readRows ? `the ${last - filled.end}` : 'the'
    warn(`The sheet ${quotedName(name)} is shown up to row ${filled.end}; ${rest} rows after it are left out.`)
  } else if (last > Math.max(sheet.readRows, sheet.rows.length)) {
    warn(`The sheet ${quotedName(name)} declares ${last} rows; it was read up to row ${sheet.readRows}.`)
  }
  return filled.rows.length === 0 ? '' : writeRows(filled.rows, sheet)
}

function fillRows(sheet: SheetView, left: Left): { rows: Filled[]; end: number; isCut: boolean } {
  const rows: Filled[] = []
  let end = 0
  for (const row of presentRows(sheet.rows)) {
    if (left.rows <= 0 || left.cells <= 0 || left.characters <= 0 || row >= sheet.readRows)
      return { rows, end, isCut: true }
    const cells = fillCells(sheet.rows[row] ?? [], left)
    end = row + 1
    if (cells.size === 0) continue
    left.rows -= 1
    rows.push({ row, cells })
  }
  return { rows, end, isCut: false }
}

/** Returns the existing rows: a sheet may have its first and last row, and a million missing ones between. */
function presentRows(rows: SheetView['rows']): number[] {
  const found: number[] = []
  rows.forEach((row, index) => row && found.push(index))
  return found
}

// Characters of the tags around a cell.
const tagLength = 9

function fillCells(row: readonly (SheetCell | undefined)[], left: Left): ReadonlyMap<number, string> {
  const cells = new Map<number, string>()
  row.forEach((cell, column) => {
    if (!cell || left.cells <= 0) return
    const html = cellHtml(cell)
    if (html === '') return
    cells.set(column, html)
    left.cells -= 1
    left.characters -= html.length + tagLength
  })
  return cells
}

function cellHtml(cell: SheetCell): string {
  const text = textOf(cell).trim()
  if (text === '') return ''
  const html = escapeText(text).replaceAll(/\r\n?|\n/g, '<br>')
  return link(cell.l?.Target, html)
}

/** Returns the displayed text, or the value if the library provides none. */
function textOf({ t, v, w }: SheetCell): string {
  if (t === 'z') return ''
  if (w !== undefined) return w
  if (typeof v === 'boolean') return v ? 'TRUE' : 'FALSE'
  return typeof v === 'string' || typeof v === 'number' ? String(v) : ''
}

function writeRows(rows: readonly Filled[], { merges }: SheetView): string {
  const columns = usedColumns(rows)
  const spans = spansOf(merges, rows, columns)
  const lines = rows.map(({ cells }, y) => {
    const line: Cell[] = []
    columns.forEach((column, x) => {
      const span = spans.get(y * columns.length + x)
      if (span !== 'covered') line.push({ html: cells.get(column) ?? '', ...span })
    })
    return line
  })
  return table(lines, 1)
}

function usedColumns(rows: readonly Filled[]): readonly number[] {
  const used = new Set<number>()
  for (const { cells } of rows) for (const column of cells.keys()) used.add(column)
  return [...used].toSorted((a, b) => a - b)
}

type Span = 'covered' | { readonly columns: number; readonly rows: number }

// Limit for grid positions covered by merged cells; further merges are ignored.
const maxCovered = 100_000

/** Returns the spans of merged cells in terms of the remaining rows and columns, by position. */
function spansOf(
  merges: SheetView['merges'],
  rows: readonly Filled[],
  columns: readonly number[],
): ReadonlyMap<number, Span> {
  const spans = new Map<number, Span>()
  let covered = 0
  const rowAt = new Map(rows.map(({ row }, y) => [row, y]))
  const columnAt = new Map(columns.map((column, x) => [column, x]))
  for (const { s, e } of merges) {
    const y = rowAt.get(s.r)
    const x = columnAt.get(s.c)
    if (y === undefined || x === undefined) continue
    let height = 1
    while ((rows[y + height]?.row ?? Infinity) <= e.r) height += 1
    let width = 1
    while ((columns[x + width] ?? Infinity) <= e.c) width += 1
    if (height * width === 1) continue
    covered += height * width
    if (covered > maxCovered) break
    for (let down = 0; down < height; down++) {
      for (let along = 0; along < width; along++) spans.set((y + down) * columns.length + x + along, 'covered')
    }
    spans.set(y * columns.length + x, { columns: width, rows: height })
  }
  return spans
}
