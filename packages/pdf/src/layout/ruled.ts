import type { Rule, Segment, TextItem } from '../types.ts'
import { boundingBox } from './boxes.ts'
import { indexIn, isInside, tableOf, type Grid } from './grid.ts'
import type { Words } from './join.ts'

// Lines nearer than this are one: double lines, or the two sides of a thick line.
const near = 3.5

/** The tables of a page that were found by their lines, and the text runs and the lines that are not part of them. */
export interface Taken {
  readonly tables: readonly Segment[]
  readonly items: readonly TextItem[]
  readonly rules: readonly Rule[]
}

/** Takes the tables that have lines in both directions out of a page. */
export function takeRuled(page: Pick<Taken, 'items' | 'rules'>, words: Words): Taken {
  const tables: Segment[] = []
  let { items, rules } = page
  for (const { grid, group } of gridsOf(rules)) {
    const inside = items.filter((item) => isInside(item, grid.box))
    const table = tableOf(grid, inside, words)
    if (!table) continue
    tables.push(table)
    const [taken, used] = [new Set(inside), new Set(group)]
    items = items.filter((item) => !taken.has(item))
    rules = rules.filter((rule) => !used.has(rule))
  }
  return { tables, items, rules }
}

function gridsOf(rules: readonly Rule[]): { readonly grid: Grid; readonly group: readonly Rule[] }[] {
  return touching(rules).flatMap((group) => {
    const xs = cluster(group.filter(isUpright).map(({ left }) => left))
    const ys = cluster(group.filter((rule) => !isUpright(rule)).map(({ top }) => top))
    const box = boundingBox(group)
    // Many tables are open at their sides: horizontal lines beyond the outermost vertical one form another cell.
    if (xs.length > 0 && box.left < (xs[0] ?? 0) - near * 4) xs.unshift(box.left)
    if (xs.length > 0 && box.right > (xs.at(-1) ?? 0) + near * 4) xs.push(box.right)
    // A row that is split by a page break is open there: its vertical lines end below the last horizontal one.
    const isOpenAbove = box.top < (ys[0] ?? 0) - near * 2 && reachTo(group, xs, ({ top }) => top < box.top + near)
    const isOpenBelow =
      box.bottom > (ys.at(-1) ?? 0) + near * 2 && reachTo(group, xs, ({ bottom }) => bottom > box.bottom - near)
    if (isOpenAbove) ys.unshift(box.top)
    if (isOpenBelow) ys.push(box.bottom)
    // A single box, or several above each other, is a frame around text or code.
    if (xs.length < 3 || ys.length < 2) return []
    return [{ grid: { box, xs, ys, isOpenAbove, isOpenBelow, ...linesOf(group, xs, ys) }, group }]
  })
}

/** Returns whether there is a vertical line at each of the positions that reaches an edge. */
function reachTo(group: readonly Rule[], xs: readonly number[], isAtEdge: (rule: Rule) => boolean): boolean {
  const reaching = cluster(group.filter((rule) => isUpright(rule) && isAtEdge(rule)).map(({ left }) => left))
  return reaching.length === xs.length
}

/** Records beside which cells there is a line, so that each line is read once and not once per cell. */
function linesOf(
  group: readonly Rule[],
  xs: readonly number[],
  ys: readonly number[],
): Pick<Grid, 'isClosedRight' | 'isClosedBelow'> {
  const [right, below] = [new Set<number>(), new Set<number>()]
  const width = xs.length - 1
  for (const rule of group) {
    const isDown = isUpright(rule)
    const [across, along] = isDown ? [xs, ys] : [ys, xs]
    const [from, to] = isDown ? [rule.top, rule.bottom] : [rule.left, rule.right]
    const line = nearest(across, isDown ? rule.left : rule.top)
    if (line < 1) continue
    for (let at = Math.max(0, indexIn(along, from - near)); at < along.length - 1; at++) {
      const middle = ((along[at] ?? 0) + (along[at + 1] ?? 0)) / 2
      if (middle > to) break
      if (middle < from) continue
      if (isDown) right.add(at * width + line - 1)
      else below.add((line - 1) * width + at)
    }
  }
  return {
    isClosedRight: (row, column) => right.has(row * width + column),
    isClosedBelow: (row, column) => below.has(row * width + column),
  }
}

/** Returns the index of the line at a position, or -1. */
function nearest(places: readonly number[], position: number): number {
  const at = places.findLastIndex((place) => place <= position + near)
  return at >= 0 && Math.abs((places[at] ?? 0) - position) <= near ? at : -1
}

export function isUpright({ left, right }: Rule): boolean {
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

/** Returns the positions in order, without those that are nearly the same as the one before. */
export function cluster(places: readonly number[]): number[] {
  const found: number[] = []
  for (const place of places.toSorted((a, b) => a - b)) {
    if (place - (found.at(-1) ?? -Infinity) > near) found.push(place)
  }
  return found
}
