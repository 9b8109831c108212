// The grid of a table whose columns, and often rows, are shown by its text only.
import type { Box, Line, Rule, TextItem } from '../types.ts'
import type { Grid } from './grid.ts'
import { groupRows, placeSegments, type Interval } from './line-rows.ts'

const near = 4

/** One row of the table that is read: its lines, and its upper edge. */
export interface Band {
  readonly lines: readonly Line[]
  readonly top: number
}

/** Splits the lines between two ruled lines to rows. The lines of a head are one row, unless it has groups of columns. */
export function splitBand({ lines, top }: Band, gaps: readonly Interval[], isHead: boolean): Band[] {
  const groups = isHead && isOneHead(lines, gaps) ? [[...lines]] : groupRows(lines, gaps)
  if (groups.length === 0) return [{ lines: [], top }]
  return groups.map((group, at) => {
    const [above, first] = [groups[at - 1]?.at(-1), group[0]]
    return { lines: group, top: above && first ? (above.y - above.size * 0.3 + first.y - first.size * 0.3) / 2 : top }
  })
}

/** Returns whether the lines of the head are one row: none of them names a group of columns. */
function isOneHead(lines: readonly Line[], gaps: readonly Interval[]): boolean {
  const placed = lines.map((line) => placeSegments(line, gaps))
  if (placed.flat().some(({ first, last }) => last > first)) return false
  const [top = [], next] = placed
  return !next || top.length >= next.length || top.every(({ first }) => first > 0)
}

export interface LineTable {
  readonly frame: Box
  readonly rows: readonly Band[]
  readonly gaps: readonly Interval[]
  readonly rules: readonly Rule[]
  readonly head: number | undefined
  readonly isByRow: boolean
}

/** Returns the grid of a table. Its lines are missing where a text crosses a gap, and where a ruled line is missing. */
export function gridOfLines({ frame, rows, gaps, rules, head, isByRow }: LineTable): Grid {
  const middles = gaps.map(([from, to]) => (from + to) / 2)
  const xs = [frame.left, ...middles, frame.right]
  const ys = [...rows.map(({ top }) => top), frame.bottom]
  const placed = rows.map(({ lines }) => lines.flatMap((line) => placeSegments(line, gaps)))
  const isEmpty = (row: number, column: number): boolean =>
    !placed[row]?.some(({ first, last }) => first <= column && last >= column)
  const below = ys.slice(1).map((y) => rules.filter(({ top }) => Math.abs(top - y) < near))
  const covers = ({ left, right }: Rule, column: number): boolean => {
    const [from, to] = [gaps[column - 1]?.[1] ?? frame.left + near, gaps[column]?.[0] ?? frame.right - near]
    return left <= (from + to) / 2 && right >= (from + to) / 2
  }
  /** Returns whether one line below covers several columns, of which a single text is above it. */
  const isGroup = (row: number, column: number): boolean =>
    (below[row] ?? []).some((rule) => {
      if (!covers(rule, column) || !covers(rule, column + 1)) return false
      const above = placed[row]?.filter(({ first, last }) => covers(rule, first) || covers(rule, last)) ?? []
      return above.length === 1 && rule.right - rule.left < (frame.right - frame.left) * 0.9
    })
  /** Returns whether the text of a head is centred above two columns, of which the second one has no text of its own. */
  const isCentred = (row: number, column: number): boolean => {
    const cell = placed[row]?.find(({ first, last }) => first === column && last === column)
    if (row >= (head ?? 1) - 1 || !cell || !isEmpty(row, column + 1) || isEmpty(row + 1, column + 1)) return false
    const [left, right] = [gaps[column - 1]?.[1] ?? frame.left + near, gaps[column + 1]?.[0] ?? frame.right - near]
    const middle = (cell.segment.left + cell.segment.right) / 2
    return Math.abs(middle - (left + right) / 2) < cell.segment.size * 0.3
  }
  return {
    box: frame,
    xs,
    ys,
    head,
    lines: linesByItem(rows),
    isClosedRight: (row, column) =>
      !placed[row]?.some(({ first, last }) => first <= column && last > column) &&
      !isGroup(row, column) &&
      !isCentred(row, column),
    isClosedBelow: (row, column) => {
      const here = below[row] ?? []
      const isOpen = isByRow ? here.length > 0 && !here.some((rule) => covers(rule, column)) : row + 1 < (head ?? 1)
      return !isOpen || (!isByRow && isEmpty(row, column)) || !isEmpty(row + 1, column)
    },
  }
}

function linesByItem(rows: readonly Band[]): Map<TextItem, Line> {
  const lines = rows.flatMap((row) => row.lines)
  return new Map(
    lines.flatMap((line) => line.segments.flatMap(({ items }) => items.map((item) => [item, line] as const))),
  )
}
