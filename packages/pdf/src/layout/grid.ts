import type { Box, Cell, Line, Row, Segment, Table, TextItem } from '../types.ts'
import { boundingBox } from './boxes.ts'
import { joinRuns, type Words } from './join.ts'
import { toLine } from './lines.ts'
import { rowsOf, toSegment } from './rows.ts'

/** A table as a grid, with the parts of its lines that are missing where a cell spans rows or columns. */
export interface Grid {
  readonly box: Box
  /** Positions of the lines between columns and rows, with those at the edges. */
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  /** Returns whether there is a line at the right of a cell. */
  readonly isClosedRight: (row: number, column: number) => boolean
  /** Returns whether there is a line below a cell. */
  readonly isClosedBelow: (row: number, column: number) => boolean
  readonly isOpenAbove?: boolean | undefined
  readonly isOpenBelow?: boolean | undefined
  /** Number of rows of the head. By default the first row, with the rows that its cells reach down to. */
  readonly head?: number | undefined
  /** Lines of the text runs, if they are known. A subscript alone in a cell is not a line of its own. */
  readonly lines?: ReadonlyMap<TextItem, Line> | undefined
}

// Far above real tables. A drawing may have thousands of lines in each direction.
const maxCells = 20_000
const maxHead = 3

/** Returns a segment for the table in place of its text, or `undefined` if the grid is a drawing, whose cells are mostly empty. */
export function tableOf(grid: Grid, items: readonly TextItem[], words: Words): Segment | undefined {
  const table = readGrid(grid, items, words)
  return table && { ...grid.box, items: [], y: grid.box.top + 1, size: items[0]?.size ?? 1, table }
}

/** Returns the table of a grid, or `undefined` if it is a drawing, whose cells are mostly empty. */
export function readGrid(grid: Grid, items: readonly TextItem[], words: Words): Table | undefined {
  const [height, width] = [grid.ys.length - 1, grid.xs.length - 1]
  if (height * width > maxCells) return undefined
  const texts = itemsByCell(grid, items)
  const taken = new Set<number>()
  const rows: Cell[][] = []
  const columns: TextItem[][] = Array.from({ length: width }, () => [])
  for (let row = 0; row < height; row++) {
    const cells: Cell[] = []
    for (let column = 0; column < width; column++) {
      if (taken.has(row * width + column)) continue
      const [colspan, rowspan] = spanOf(grid, row, column)
      const inside: TextItem[] = []
      for (let r = row; r < row + rowspan; r++)
        for (let c = column; c < column + colspan; c++) {
          taken.add(r * width + c)
          inside.push(...(texts.get(r * width + c) ?? []))
        }
      if (colspan === 1) columns[column]?.push(...inside)
      cells.push({ runs: cellText(linesOf(inside, grid), words), colspan, rowspan })
    }
    rows.push(cells)
  }
  if (!isTable(rows)) return undefined
  const { isOpenAbove, isOpenBelow } = grid
  return { rows: withoutEmptyRows(rows, headOf(grid, rows)), columns: columns.map(extentOf), isOpenAbove, isOpenBelow }
}

function extentOf(items: readonly TextItem[]): Table['columns'][number] {
  if (items.length === 0) return undefined
  const boxes = items.map(({ x, width, y }) => ({ left: x, right: x + width, top: y, bottom: y }))
  const { left, right } = boundingBox(boxes)
  return { left, right }
}

function headOf({ head }: Grid, [first = []]: readonly (readonly Cell[])[]): number {
  if (head !== undefined) return head
  const isGrouped = first.some(({ colspan }) => colspan > 1)
  return isGrouped ? Math.min(maxHead, Math.max(...first.map(({ rowspan }) => rowspan))) : 1
}

/** Returns whether there are filled cells beside each other, which nested frames around text do not have. */
function isTable(rows: readonly (readonly Cell[])[]): boolean {
  const isFilled = ({ runs }: Cell): boolean => runs.length > 0
  const cells = rows.flat()
  const isBeside = rows.some((row) => row.filter(isFilled).length >= 2)
  return isBeside && cells.filter(isFilled).length >= cells.length * 0.3
}

/** Drops rows without text. Cells that span them end earlier. */
function withoutEmptyRows(rows: readonly (readonly Cell[])[], head: number): Row[] {
  const isEmpty = rows.map((cells) => cells.every(({ runs, rowspan }) => runs.length === 0 && rowspan === 1))
  return rows.flatMap((cells, at): Row[] => {
    if (isEmpty[at]) return []
    const shorter = cells.map((cell) => {
      const dropped = isEmpty.slice(at, at + cell.rowspan).filter(Boolean).length
      return dropped === 0 ? cell : { ...cell, rowspan: cell.rowspan - dropped }
    })
    return [{ cells: shorter, isHead: at < head }]
  })
}

/** Returns the spans of a cell, which reach to the next line in each direction. */
function spanOf({ xs, ys, isClosedRight, isClosedBelow }: Grid, row: number, column: number): [number, number] {
  let colspan = 1
  while (column + colspan < xs.length - 1 && !isClosedRight(row, column + colspan - 1)) colspan += 1
  let rowspan = 1
  while (row + rowspan < ys.length - 1 && !isClosedBelow(row + rowspan - 1, column)) rowspan += 1
  return [colspan, rowspan]
}

function itemsByCell({ xs, ys }: Grid, items: readonly TextItem[]): Map<number, TextItem[]> {
  const found = new Map<number, TextItem[]>()
  for (const item of items) {
    const [column, row] = [indexIn(xs, middleOf(item)), indexIn(ys, heightOf(item))]
    if (column < 0 || row < 0) continue
    const key = row * (xs.length - 1) + column
    const here = found.get(key)
    if (here) here.push(item)
    else found.set(key, [item])
  }
  return found
}

/** Returns the index of the interval that contains a position, or -1. */
export function indexIn(edges: readonly number[], position: number): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edges[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low === edges.length ? -1 : low - 1
}

/** Returns whether a text run is in a box, by its middle. */
export function isInside(item: TextItem, box: Box): boolean {
  const [x, y] = [middleOf(item), heightOf(item)]
  return x > box.left && x < box.right && y > box.top && y < box.bottom
}

function middleOf({ x, width }: TextItem): number {
  return x + width / 2
}

function heightOf({ y, size }: TextItem): number {
  return y - size * 0.3
}

function linesOf(items: readonly TextItem[], { lines }: Grid): Line[] {
  if (!lines) return rowsOf(items).map(toLine)
  return [...Map.groupBy(items, (item) => lines.get(item))].map(([line, some]) => {
    const segment = toSegment(some.toSorted((a, b) => a.x - b.x))
    return toLine([line ? { ...segment, y: line.y } : segment])
  })
}

function cellText(lines: readonly Line[], words: Words): Cell['runs'] {
  return lines.reduce((all: Cell['runs'], { runs }) => joinRuns(all, runs, words), [])
}
