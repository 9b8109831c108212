// Lays out table cells in a grid without spans, empty rows and empty columns.

export interface Cell {
  readonly text: string
  /** The cell of the delimiter row for its columns, such as `---:`. */
  readonly dashes: string
  readonly columns: number
  readonly rows: number
}

type Row = readonly Cell[]

export interface Grid {
  /** Rows of cells as strings. Cells covered by a span are empty. Rows may be shorter than the first. */
  readonly rows: string[][]
  /** The delimiter row: columns are aligned like the cells of the first row. It may be shorter than the widest row. */
  readonly dashes: string[]
}

/**
 * Returns the Markdown of the cells of a table by row and column, without empty rows and columns. Spans are ignored if with
 * them the table would have more than about eight times as many cells.
 */
export function layGrid(rows: readonly Row[]): Grid {
  const isSpanned = isWorthSpanning(rows)
  const texts = isSpanned ? spanned(rows) : rows.map((row) => row.map(({ text }) => text))
  const first = rows[0] ?? []
  const dashes = isSpanned
    ? first.flatMap(({ dashes: one, columns }) => Array<string>(columns).fill(one))
    : first.map(({ dashes: one }) => one)
  return withoutEmpty(texts, dashes)
}

/**
 * Returns whether to apply spans. Pages can declare huge ones, so they are ignored if they would add too many empty
 * cells.
 */
function isWorthSpanning(rows: readonly Row[]): boolean {
  let cells = 0
  let places = 0
  for (const row of rows) {
    cells += row.length
    for (const { columns, rows: height } of row) places += columns * Math.min(height, rows.length)
  }
  return places > cells && places < cells * 8 + 100
}

function spanned(rows: readonly Row[]): string[][] {
  const grid: string[][] = rows.map(() => [])
  const taken: boolean[][] = rows.map(() => [])
  rows.forEach((row, y) => {
    let x = 0
    for (const cell of row) {
      while (taken[y]?.[x]) x++
      occupy(grid, taken, { x, y, cell })
      x += cell.columns
    }
  })
  return grid.map((row) => Array.from(row, (text) => text ?? ''))
}

function occupy(grid: string[][], taken: boolean[][], { x, y, cell }: { x: number; y: number; cell: Cell }): void {
  const bottom = Math.min(y + cell.rows, grid.length)
  for (let row = y; row < bottom; row++) {
    for (let column = x; column < x + cell.columns; column++) {
      const texts = grid[row] as string[]
      texts[column] = row === y && column === x ? cell.text : ''
      const marks = taken[row] as boolean[]
      marks[column] = true
    }
  }
}

function withoutEmpty(grid: string[][], dashes: string[]): Grid {
  const rows = grid.filter((row) => row.some((text) => text !== ''))
  const used = new Set<number>()
  for (const row of rows) row.forEach((text, x) => text !== '' && used.add(x))
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (used.size === width) return { rows, dashes }
  const isUsed = (_: string, x: number): boolean => used.has(x)
  return { rows: rows.map((row) => row.filter(isUsed)), dashes: dashes.filter(isUsed) }
}
