// A forest as it is run over the rows of a page: without the questions that all of them answer alike. Those are most, as
// the blocks of one page have much in common.
import type { Forest, Rows } from './forest.ts'

/** A leaf leads back to itself, so that rows can go down a tree together until the last has arrived. */
export interface Slope {
  readonly roots: Int32Array
  /** For each node the left child and the column in one number, below zero for a leaf. */
  readonly steps: Int32Array
  /** Infinite for a leaf. */
  readonly thresholds: Float32Array
  /** Of leaves. */
  readonly values: Float32Array
}

export const columnBits = 9
export const columnMask = (1 << columnBits) - 1
export const nodeMask = (1 << (31 - columnBits)) - 1
const leafBit = 1 << 31

function stepOf(left: number, column: number): number {
  return (left << columnBits) | (column < 0 ? leafBit : column)
}

const slopes = new WeakMap<Forest, { readonly whole: Slope; readonly room: Slope }>()

function slopesOf(forest: Forest): { readonly whole: Slope; readonly room: Slope } {
  const known = slopes.get(forest)
  if (known) return known
  const { roots, columns, numbers, lefts } = forest
  const whole = {
    roots,
    steps: Int32Array.from(columns, (column, node) => stepOf(column < 0 ? node : lefts[node]!, column)),
    thresholds: Float32Array.from(columns, (column, node) => (column < 0 ? Infinity : numbers[node]!)),
    values: numbers,
  }
  const { steps, thresholds } = whole
  const room = {
    roots: roots.slice(),
    steps: steps.slice(),
    thresholds: thresholds.slice(),
    values: numbers.slice(),
  }
  const both = { whole, room }
  slopes.set(forest, both)
  return both
}

/** A forest with all its questions. */
export const wholeSlope = (forest: Forest): Slope => slopesOf(forest).whole

/** The lowest and the highest number of each column, of all rows that were seen. */
export interface Ranges {
  readonly lowest: Float32Array
  readonly highest: Float32Array
}

export function makeRanges(width: number): Ranges {
  return { lowest: new Float32Array(width).fill(Infinity), highest: new Float32Array(width).fill(-Infinity) }
}

/** Widens the ranges of columns by those of rows. */
export function widenRanges({ lowest, highest }: Ranges, rows: Rows, from: number, to: number): void {
  const { data, starts, count } = rows
  for (let column = from; column < to; column++) {
    let low = lowest[column]!
    let high = highest[column]!
    for (let row = 0; row < count; row++) {
      const value = data[starts[row]! + column]!
      if (value < low) low = value
      if (value > high) high = value
    }
    lowest[column] = low
    highest[column] = high
  }
}

/** A forest without the questions that all rows within the ranges answer alike, until it is pruned again. */
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
  /** Nodes whose children are not put yet: where they stand in the forest, and in the slope. */
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

/** Puts the first node, from this one down, at which rows part, or the leaf that all of them come to. */
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
