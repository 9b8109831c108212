import type { Element } from '../tree/tree.ts'
import { writeCodeTable } from './code.ts'
import { writeBlock, writeChildren } from './descend.ts'
import { beginBlock, flush, setRoom, takeCell, type ElementWriter, type Sheet } from './sheet.ts'
import { writeSpanTable, type SourceCell } from './span-table.ts'
import { layGrid, type Cell } from './table-grid.ts'
import { isCell, isLayout, partsOf, type TableParts } from './table-rows.ts'

/** Writes a table. Layout tables are written as ordinary blocks, and code next to line numbers as a code block. */
export const writeTable: ElementWriter = (sheet, table) => {
  if (writeCodeTable(sheet, table)) return
  flush(sheet)
  const parts = partsOf(table, sheet.leftOut)
  if (isLayout(table, parts)) return writeBlock(sheet, table)
  for (const caption of parts.captions) writeBlock(sheet, caption)
  writeGrid(sheet, parts)
}

function writeGrid(sheet: Sheet, parts: TableParts): void {
  setRoom(sheet, 'cell')
  const cells = parts.rows.map((row) => cellsOf(sheet, row))
  setRoom(sheet, 'flow')
  if (sheet.keepsSpans && writeSpanTable(sheet, cells, parts.hasHead)) return
  const { rows: grid, dashes } = layGrid(cells)
  if (grid.length === 0) return
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0)
  const hasHead = isHead(grid, cells, parts)
  const head = hasHead ? (grid[0] as string[]) : []
  beginBlock(sheet, 'table')
  pushRow(sheet, padded(head, width))
  sheet.out.push(`\n${sheet.prefix}`)
  pushRow(sheet, padded(dashes, width, '---'))
  for (let y = hasHead ? 1 : 0; y < grid.length; y++) {
    sheet.out.push(`\n${sheet.prefix}`)
    pushRow(sheet, grid[y] as string[])
  }
}

/**
 * Returns whether the first row is the header: it is marked up as one, or all its cells are bold. An empty header does
 * not count.
 */
function isHead(grid: readonly string[][], cells: readonly (readonly Cell[])[], parts: TableParts): boolean {
  const first = grid[0]?.filter((text) => text !== '') ?? []
  if (parts.hasHead) return first.join('') === cells[0]?.map(({ text }) => text).join('')
  return grid.length > 1 && first.length > 1 && first.every((text) => /^\*\*[^*]+\*\*$/.test(text))
}

function pushRow(sheet: Sheet, texts: readonly string[]): void {
  for (const text of texts) {
    sheet.out.push('| ')
    sheet.out.push(text)
    sheet.out.push(' ')
  }
  sheet.out.push('|')
}

function padded(row: readonly string[], width: number, filler = ''): string[] {
  return Array.from({ length: width }, (_, x) => row[x] ?? filler)
}

function cellsOf(sheet: Sheet, row: Element): SourceCell[] {
  const cells: SourceCell[] = []
  for (let cell = row.first; cell; cell = cell.next) {
    if (!isCell(cell) || sheet.leftOut.has(cell)) continue
    writeChildren(sheet, cell)
    const text = takeCell(sheet)
    const { colspan, rowspan } = cell.attributes
    cells.push({
      element: cell,
      text,
      dashes: dashesOf(cell),
      columns: spanOf(colspan, 1000),
      rows: spanOf(rowspan, 65_534),
    })
  }
  return cells
}

function spanOf(value: string | undefined, most: number): number {
  const span = value === undefined ? 1 : Number.parseInt(value, 10)
  return span >= 1 ? Math.min(span, most) : 1
}

function dashesOf({ attributes }: Element): string {
  const { style } = attributes
  const align = attributes.align ?? (style === undefined ? undefined : /text-align\s*:\s*(\w+)/i.exec(style)?.[1])
  switch (align?.toLowerCase()) {
    case 'left':
      return ':---'
    case 'center':
      return ':---:'
    case 'right':
      return '---:'
    default:
      return '---'
  }
}
