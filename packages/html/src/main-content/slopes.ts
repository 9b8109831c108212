// Prepares a forest for the rows of one page by removing splits that send all rows the same way. Those are most splits,
// as the blocks of a page are similar.
import type { Forest, Rows } from './forest.ts'

/**
 * A forest laid out for evaluation. Leaves are their own children, so that several rows can descend a tree together.
 */
export interface Slope {
  readonly roots: Int32Array
  /** For each node: left child and column in one number; negative for a leaf. */
  readonly steps: Int32Array
  /** `Infinity` for leaves. */
  readonly thresholds: Float32Array
  /** Leaf values. */
  readonly values: Float32Array
}

export const columnBits = 9
export const columnMask = (1 << columnBits) - 1
export const nodeMask = (1 << (31 - columnBits)) - 1
const leafBit = 1 << 31

function stepOf(left: number, column: number): number {
  return (left << columnBits) | (column < 0 ? leafBit : column)
}

const slopes = new WeakMap<Forest, { readonly full: Slope; readonly room: Slope }>()

function slopesOf(forest: Forest): { readonly full: Slope; readonly room: Slope } {
  const known = slopes.get(forest)
  if (known) return known
  const { roots, columns, numbers, lefts } = forest
  const steps = new Int32Array(columns.length)
  const thresholds = new Float32Array(columns.length)
  for (let node = 0; node < columns.length; node++) {
    const column = columns[node]!
    steps[node] = stepOf(column < 0 ? node : lefts[node]!, column)
    thresholds[node] = column < 0 ? Infinity : numbers[node]!
  }
  const full = { roots, steps, thresholds, values: numbers }
  const room = {
    roots: roots.slice(),
    steps: steps.slice(),
    thresholds: thresholds.slice(),
    values: numbers.slice(),
  }
  const both = { full, room }
  slopes.set(forest, both)
  return both
}

/** Returns the whole forest, laid out for evaluation. Valid for all rows. */
export const fullSlope = (forest: Forest): Slope => slopesOf(forest).full

/** Minimum and maximum of each column over all rows so far. */
export interface Ranges {
  readonly lowest: Float32Array
  readonly highest: Float32Array
}

/** Creates empty ranges for this number of columns. No value is within them yet. */
export function makeRanges(width: number): Ranges {
  return { lowest: new Float32Array(width).fill(Infinity), highest: new Float32Array(width).fill(-Infinity) }
}

/** Extends the ranges of the columns from `from` to before `to` by the values in `rows`. */
export function widenRanges({ lowest, highest }: Ranges, rows: Rows, from: number, to: number): void {
  const { data, starts, count } = rows
  // Row by row, because the values of a row are next to each other in memory.
  for (let row = 0; row < count; row++) {
    const start = starts[row]!
    for (let column = from; column < to; column++) {
      const value = data[start + column]!
      if (value < lowest[column]!) lowest[column] = value
      if (value > highest[column]!) highest[column] = value
    }
  }
}

/**
 * Returns the forest, laid out for evaluation, without splits that all rows within the ranges (inclusive) pass the same way. Rows
 * outside the ranges get wrong results. The arrays are reused: valid until the next call for this forest.
 */
export function prunedSlope(forest: Forest, ranges: Ranges): Slope {
  const slope = slopesOf(forest).room
  const prune: Prune = { forest, ranges, slope, waiting: [] }
  let free = 0
  for (let tree = 0; tree < forest.roots.length; tree++) {
    slope.roots[tree] = free
    putNode(prune, forest.roots[tree]!, free++)
    free = putChildren(prune, free)
  }
  return slope
}

interface Prune {
  readonly forest: Forest
  readonly ranges: Ranges
  readonly slope: Slope
  /** Nodes whose children are still to be placed: pairs of index in the forest and index in the slope. */
  readonly waiting: number[]
}

function putChildren(prune: Prune, from: number): number {
  const { forest, slope, waiting } = prune
  let free = from
  while (waiting.length > 0) {
    const place = waiting.pop()!
    const node = waiting.pop()!
    const left = forest.lefts[node]!
    slope.steps[place] = stepOf(free, forest.columns[node]!)
    slope.thresholds[place] = forest.numbers[node]!
    putNode(prune, left, free)
    putNode(prune, left + 1, free + 1)
    free += 2
  }
  return free
}

/** Places the first node from this one down that separates rows, or the leaf that all rows reach. */
function putNode({ forest, ranges, slope, waiting }: Prune, from: number, place: number): void {
  const { columns, numbers, lefts } = forest
  let node = from
  for (let column = columns[node]!; column >= 0; column = columns[node]!) {
    const threshold = numbers[node]!
    if (ranges.highest[column]! <= threshold) node = lefts[node]!
    else if (ranges.lowest[column]! > threshold) node = lefts[node]! + 1
    else {
      waiting.push(node, place)
      return
    }
  }
  slope.steps[place] = stepOf(place, -1)
  slope.thresholds[place] = Infinity
  slope.values[place] = numbers[node]!
}
