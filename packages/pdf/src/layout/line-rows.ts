// Rows and columns of a table from its lines of text, where no ruled lines show them.
import type { Line, Segment } from '../types.ts'

export type Interval = readonly [from: number, to: number]

/** Maximum number of columns of a table without vertical lines. */
export const maxColumns = 200

/**
 * Returns the gaps that no segment covers, at least `least` wide, from left to right. Returns none if there are more than those of
 * 200 columns.
 */
export function gapsOf(segments: readonly Segment[], least: number): Interval[] {
  const gaps: Interval[] = []
  let right: number | undefined
  for (const segment of segments.toSorted((a, b) => a.left - b.left)) {
    if (right !== undefined && segment.left - right >= least) gaps.push([right, segment.left])
    right = Math.max(right ?? -Infinity, segment.right)
  }
  return gaps.length < maxColumns ? gaps : []
}

/**
 * Returns the gaps between columns: those that no line covers, and beside which the head, or at least two lines, have text on both
 * sides. The space after a sentence is in one line only.
 */
export function columnGaps(lines: readonly Line[], least: number, head?: Line): Interval[] {
  const gaps = gapsOf(
    lines.flatMap(({ segments }) => segments),
    least,
  )
  if (lines.length < 2) return gaps
  return gaps.filter(([from, to]) => {
    const beside = lines.filter(
      ({ segments }) =>
        segments.some(({ right }) => right <= from + 0.5) && segments.some(({ left }) => left >= to - 0.5),
    )
    return beside.length >= 2 || (head !== undefined && beside.includes(head))
  })
}

/** The cells of one line of text: indexes of the first and the last column of each segment. */
export interface PlacedSegment {
  readonly segment: Segment
  readonly first: number
  readonly last: number
}

/** Returns the columns that each segment of a line covers. A segment in a gap covers the columns beside it. */
export function placeSegments({ segments }: Pick<Line, 'segments'>, gaps: readonly Interval[]): PlacedSegment[] {
  return segments.map((segment) => {
    const after = gaps.findIndex(([from]) => from > segment.left + 0.5)
    const first = after < 0 ? gaps.length : after
    const last = gaps.findLastIndex(([, to]) => to < segment.right - 0.5) + 1
    return { segment, first: Math.min(first, last), last: Math.max(first, last) }
  })
}

/**
 * Groups the lines of a table to rows, and returns the lines of each row. A line continues the row above it if its text would
 * not have fitted there, and if its first column is empty or continues in lower case, or its distance is the line spacing of a
 * cell. A line with one text that is not in the first column always does.
 */
export function groupRows(lines: readonly Line[], gaps: readonly Interval[]): Line[][] {
  const placed = lines.map((line) => placeSegments(line, gaps))
  const widths = columnWidths(placed, gaps.length + 1)
  const within = stepWithinCells(lines)
  const rows: Line[][] = []
  // The last text of each column in the current row.
  let above: (PlacedSegment | undefined)[] = []
  for (const [at, line] of lines.entries()) {
    const cells = placed[at] ?? []
    const step = line.y - (lines[at - 1]?.y ?? -Infinity)
    const isNear = within === undefined ? step < line.size * 1.45 : step <= within
    const isContinued = isNear && goesOn({ cells, above, widths, isSure: within !== undefined })
    if (isContinued) rows.at(-1)?.push(line)
    else {
      rows.push([line])
      above = []
    }
    for (const cell of cells) for (let column = cell.first; column <= cell.last; column++) above[column] = cell
  }
  return rows
}

interface Continuation {
  readonly cells: readonly PlacedSegment[]
  readonly above: readonly (PlacedSegment | undefined)[]
  readonly widths: readonly number[]
  /** The distance of the lines shows that they are in one cell. */
  readonly isSure: boolean
}

function goesOn({ cells, above, widths, isSure }: Continuation): boolean {
  if (cells.length === 0 || (!isSure && cells.some((cell) => cell.first === 0 && !continuesName(cell, above[0]))))
    return false
  if (cells.length >= widths.length) return false
  // A row rarely has a text in the middle and nothing else.
  const [first] = cells
  if (cells.length === 1 && first && first.first > 0 && above[first.first]) return true
  const isWrapped = ({ segment, first, last }: PlacedSegment): boolean => {
    const before = above[first]
    if (before?.first !== first || before.last !== last) return false
    const width = widths.slice(first, last + 1).reduce((sum, each) => sum + each, 0)
    const word = /^\s*\S+/.exec(textOf(segment))?.[0].length ?? 0
    const letters = Math.max(1, textOf(segment).length)
    return (
      before.segment.right - before.segment.left + ((word + 0.5) * (segment.right - segment.left)) / letters >
      width * 0.98
    )
  }
  const isFresh = ({ first }: PlacedSegment): boolean => isSure && above[first] === undefined
  return cells.some(isWrapped) && cells.every((cell) => isWrapped(cell) || isFresh(cell))
}

/** Returns whether the text of a first column begins in lower case below one that does not. */
function continuesName({ segment }: PlacedSegment, above: PlacedSegment | undefined): boolean {
  return /^\s*\p{Ll}/u.test(textOf(segment)) && above !== undefined && /^\s*[\p{Lu}\p{N}]/u.test(textOf(above.segment))
}

function columnWidths(placed: readonly (readonly PlacedSegment[])[], count: number): number[] {
  const widths = Array.from({ length: count }, () => 0)
  for (const { segment, first, last } of placed.flat())
    if (first === last) widths[first] = Math.max(widths[first] ?? 0, segment.right - segment.left)
  return widths
}

/** Returns the largest distance of lines in one cell, or `undefined` if the distances of all lines are about equal. */
function stepWithinCells(lines: readonly Line[]): number | undefined {
  const steps = lines.slice(1).map((line, at) => line.y - (lines[at]?.y ?? 0))
  const sorted = steps.toSorted((a, b) => a - b)
  const size = lines[0]?.size ?? 10
  let [best, most] = [undefined as number | undefined, 1.18]
  for (const [at, step] of sorted.entries()) {
    const ratio = (sorted[at + 1] ?? 0) / Math.max(1, step)
    if (ratio > most && step < size * 1.9) [best, most] = [step * 1.05, ratio]
  }
  return best
}

export function textOf({ items }: Segment): string {
  return items.map(({ text }) => text).join('')
}
