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
  for (const { cell, x, y, bottom } of place(rows))
    for (let row = y; row < bottom; row++)
      for (let column = x; column < x + cell.columns; column++)
        (grid[row] as string[])[column] = row === y && column === x ? cell.text : ''
  return grid.map((row) => Array.from(row, (text) => text ?? ''))
}

interface Placed<C extends Cell> {
  readonly cell: C
  readonly x: number
  readonly y: number
  /** The row after its last one. */
  readonly bottom: number
}

/** Returns the cells with their first column. Cells that span rows reserve their columns in each of them. */
function place<C extends Cell>(rows: readonly (readonly C[])[]): Placed<C>[] {
  const taken: boolean[][] = rows.map(() => [])
  const placed: Placed<C>[] = []
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const cell of row) {
      while (taken[y]?.[x]) x++
      const bottom = Math.min(y + cell.rows, rows.length)
      placed.push({ cell, x, y, bottom })
      for (let below = y; below < bottom; below++)
        for (let column = x; column < x + cell.columns; column++) (taken[below] as boolean[])[column] = true
      x += cell.columns
    }
  }
  return placed
}

/** A cell, and how many rows and columns with text it covers. */
export interface SpanningCell<C extends Cell> {
  readonly cell: C
  readonly columns: number
  readonly rows: number
}

/**
 * Returns the cells of each row, without empty rows and columns, if a grid without spans would lose which cells belong
 * together: a cell with text covers several rows, or some of the columns but not all. Otherwise returns `undefined`.
 */
export function laySpans<C extends Cell>(rows: readonly (readonly C[])[]): SpanningCell<C>[][] | undefined {
  if (!isWorthSpanning(rows)) return undefined
  const placed = place(rows)
  const filled = placed.filter(({ cell }) => cell.text !== '')
  const filledRows = countsBefore(new Set(filled.map(({ y }) => y)))
  const filledColumns = countsBefore(new Set(filled.map(({ x }) => x)))
  const width = filledColumns(Infinity)
  const laid: SpanningCell<C>[][] = Array.from({ length: filledRows(Infinity) }, () => [])
  let isSpanning = false
  // By column, because a row also gets the cells of empty rows above it that reach into it.
  for (const { cell, x, y, bottom } of placed.toSorted((one, other) => one.x - other.x)) {
    const covered = filledRows(bottom) - filledRows(y)
    const columns = filledColumns(x + cell.columns) - filledColumns(x)
    if (covered === 0 || columns === 0) continue
    laid[filledRows(y)]?.push({ cell, columns, rows: covered })
    if (cell.text !== '') isSpanning ||= covered > 1 || (columns > 1 && columns < width)
  }
  return isSpanning ? laid : undefined
}

/** Returns a function that counts the numbers in the set that are less than its argument. */
function countsBefore(numbers: ReadonlySet<number>): (end: number) => number {
  const counts = [0]
  const last = numbers.size === 0 ? -1 : [...numbers].reduce((most, each) => Math.max(most, each))
  for (let at = 0; at <= last; at++) counts.push((counts[at] as number) + (numbers.has(at) ? 1 : 0))
  return (end) => counts[Math.min(end, last + 1)] as number
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
