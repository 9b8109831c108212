import type { Box, Cell, Row, Rule, Segment, TextItem } from '../types.ts'
import { boundingBox } from './boxes.ts'
import { joinRuns, type Words } from './join.ts'
import { toLine } from './lines.ts'
import { rowsOf } from './rows.ts'

// Lines nearer than this are one: double lines, or the two sides of a thick line.
const near = 3.5

interface Grid {
  readonly box: Box
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly rules: readonly Rule[]
}

/** Extracts the tables that have ruled lines, and returns the remaining text runs. Without such tables, all runs remain. */
export function takeGrids(
  items: readonly TextItem[],
  rules: readonly Rule[],
  words: Words,
): { readonly tables: readonly Segment[]; readonly rest: readonly TextItem[] } {
  const tables: Segment[] = []
  let rest = items
  for (const grid of gridsOf(rules)) {
    const inside = rest.filter((item) => isInside(item, grid.box))
    const rows = rowsOfGrid(grid, inside, words)
    if (!rows) continue
    tables.push({ ...grid.box, items: [], y: grid.box.top + 1, size: inside[0]?.size ?? 1, table: rows })
    const taken = new Set(inside)
    rest = rest.filter((item) => !taken.has(item))
  }
  return { tables, rest }
}

function isInside({ x, y, width, size }: TextItem, box: Box): boolean {
  const [middle, height] = [x + width / 2, y - size * 0.3]
  return middle > box.left && middle < box.right && height > box.top && height < box.bottom
}

function gridsOf(rules: readonly Rule[]): Grid[] {
  return touching(rules).flatMap((group) => {
    const xs = cluster(group.filter(isUpright).map(({ left }) => left))
    const ys = cluster(group.filter((rule) => !isUpright(rule)).map(({ top }) => top))
    const box = boundingBox(group)
    // Many tables are open at their sides: horizontal lines beyond the outermost vertical one form another cell.
    if (xs.length > 0 && box.left < (xs[0] ?? 0) - near * 4) xs.unshift(box.left)
    if (xs.length > 0 && box.right > (xs.at(-1) ?? 0) + near * 4) xs.push(box.right)
    // A single box, or several above each other, is a frame around text or code.
    if (xs.length < 3 || ys.length < 2) return []
    return [{ box, xs, ys, rules: group }]
  })
}

function isUpright({ left, right }: Rule): boolean {
  return left === right
}

/** Groups lines that touch each other. */
function touching(rules: readonly Rule[]): Rule[][] {
  const home = rules.map((_, index) => index)
  const find = (index: number): number => {
    let at = index
    while (home[at] !== at) at = home[at] = home[home[at] ?? at] ?? at
    return at
  }
  const flat = rules
    .flatMap((rule, index) => (isUpright(rule) ? [] : [{ rule, index }]))
    .toSorted((a, b) => a.rule.top - b.rule.top)
  for (const [index, rule] of rules.entries()) {
    if (!isUpright(rule)) continue
    for (let at = firstFrom(flat, rule.top - near); at < flat.length; at++) {
      const other = flat[at]
      if (!other || other.rule.top > rule.bottom + near) break
      if (other.rule.left <= rule.left + near && other.rule.right >= rule.left - near)
        home[find(index)] = find(other.index)
    }
  }
  return [...Map.groupBy(rules, (_, index) => find(index)).values()].filter((group) => group.length >= 4)
}

function firstFrom(sorted: readonly { readonly rule: Rule }[], top: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.rule.top ?? 0) < top) low = middle + 1
    else high = middle
  }
  return low
}

function cluster(places: readonly number[]): number[] {
  const found: number[] = []
  for (const place of places.toSorted((a, b) => a - b)) {
    if (place - (found.at(-1) ?? -Infinity) > near) found.push(place)
  }
  return found
}

/** Returns the rows of a grid, or `undefined` if it is a drawing, whose cells are mostly empty. */
function rowsOfGrid(grid: Grid, items: readonly TextItem[], words: Words): Row[] | undefined {
  const taken = new Set<string>()
  const rows: Row[] = []
  let filled = 0
  let count = 0
  for (let row = 0; row < grid.ys.length - 1; row++) {
    const cells: Cell[] = []
    for (let column = 0; column < grid.xs.length - 1; column++) {
      if (taken.has(`${row} ${column}`)) continue
      const [colspan, rowspan] = spanOf(grid, row, column)
      for (let r = row; r < row + rowspan; r++) for (let c = column; c < column + colspan; c++) taken.add(`${r} ${c}`)
      const box = boxOf(grid, row, column, colspan, rowspan)
      const runs = cellText(
        items.filter((item) => isInside(item, box)),
        words,
      )
      cells.push({ runs, colspan, rowspan })
      count += 1
      if (runs.length > 0) filled += 1
    }
    rows.push({ cells, isHead: row === 0 })
  }
  // Nested boxes are frames around text: a table has filled cells next to each other.
  const isBeside = rows.some(({ cells }) => cells.filter(({ runs }) => runs.length > 0).length >= 2)
  const isTable = isBeside && filled >= count * 0.3
  return isTable ? withoutEmptyRows(rows) : undefined
}

function withoutEmptyRows(rows: readonly Row[]): Row[] {
  return rows.filter(({ cells }) => cells.some(({ runs, rowspan }) => runs.length > 0 || rowspan > 1))
}

function boxOf({ xs, ys }: Grid, row: number, column: number, colspan: number, rowspan: number): Box {
  return {
    left: xs[column] ?? 0,
    right: xs[column + colspan] ?? 0,
    top: ys[row] ?? 0,
    bottom: ys[row + rowspan] ?? 0,
  }
}

/** Returns the spans of a cell, which reach to the next ruled line in each direction. */
function spanOf(grid: Grid, row: number, column: number): [number, number] {
  const { xs, ys, rules } = grid
  const between = (places: readonly number[], index: number): number =>
    ((places[index] ?? 0) + (places[index + 1] ?? 0)) / 2
  const hasUpright = (x: number, y: number): boolean =>
    rules.some((rule) => isUpright(rule) && Math.abs(rule.left - x) <= near && rule.top <= y && rule.bottom >= y)
  const hasFlat = (x: number, y: number): boolean =>
    rules.some((rule) => !isUpright(rule) && Math.abs(rule.top - y) <= near && rule.left <= x && rule.right >= x)
  let colspan = 1
  while (column + colspan < xs.length - 1 && !hasUpright(xs[column + colspan] ?? 0, between(ys, row))) colspan += 1
  let rowspan = 1
  while (row + rowspan < ys.length - 1 && !hasFlat(between(xs, column), ys[row + rowspan] ?? 0)) rowspan += 1
  return [colspan, rowspan]
}

function cellText(items: readonly TextItem[], words: Words): Cell['runs'] {
  const lines = rowsOf(items).map((row) => toLine(row).runs)
  return lines.reduce((all, line) => joinRuns(all, line, words), [])
}
