// Evaluates boosted trees over rows of numbers.
import type { Forest, Rows } from './forest.ts'
import { columnBits, columnMask, nodeMask, fullSlope, type Slope } from './slopes.ts'

/** One tree during training. `left` is the index of the left child, the right one follows it. Leaves have column -1. */
export interface Tree {
  readonly column: Int16Array
  readonly threshold: Float32Array
  readonly bin: Uint8Array
  readonly left: Int16Array
  readonly value: Float32Array
}

/** Joins decision trees into one forest. `start` is added to the sum of every row. */
export function joinTrees(trees: readonly Tree[], start: number): Forest {
  const size = trees.reduce((sum, tree) => sum + tree.column.length, 0)
  const forest = {
    start,
    roots: new Int32Array(trees.length),
    columns: new Int16Array(size),
    numbers: new Float32Array(size),
    lefts: new Int32Array(size),
  }
  let base = 0
  trees.forEach((tree, index) => {
    forest.roots[index] = base
    for (let node = 0; node < tree.column.length; node++) {
      const column = tree.column[node]!
      forest.columns[base + node] = column
      forest.numbers[base + node] = column < 0 ? tree.value[node]! : tree.threshold[node]!
      forest.lefts[base + node] = base + tree.left[node]!
    }
    base += tree.column.length
  })
  return forest
}

/** Rows below `below` log odds after `trees` trees skip the remaining trees, which leaves their probability low. */
export interface EarlyEnd {
  readonly trees: number
  readonly below: number
}

export interface RunOptions {
  readonly early?: EarlyEnd | undefined
  /** The forest as pruned for these rows. */
  readonly slope?: Slope | undefined
}

/**
 * Writes the probability of each row to `out`, from index `to` on: the sigmoid of the sum over all trees, or over the first
 * ones for rows that end early.
 */
export function runForest(forest: Forest, rows: Rows, out: Float32Array, to: number, options: RunOptions = {}): void {
  const { early, slope = fullSlope(forest) } = options
  const { data, count } = rows
  const trees = forest.roots.length
  const pause = early ? Math.min(early.trees, trees) : trees
  const sums = new Float32Array(inFours(count)).fill(forest.start)
  addTrees(slope, 0, pause, data, startsOf(rows), sums)
  if (early && pause < trees) {
    const open: number[] = []
    for (let row = 0; row < count; row++) if (sums[row]! >= early.below) open.push(row)
    const left = { data, count: open.length, starts: open.map((row) => rows.starts[row]!) }
    const own = new Float32Array(inFours(open.length))
    open.forEach((row, at) => (own[at] = sums[row]!))
    if (open.length > 0) addTrees(slope, pause, trees, data, startsOf(left), own)
    open.forEach((row, at) => (sums[row] = own[at]!))
  }
  for (let row = 0; row < count; row++) out[to + row] = 1 / (1 + Math.exp(-sums[row]!))
}

const inFours = (count: number): number => (count + 3) & -4

/** Returns the starts of the rows, padded to a multiple of four with the last one. */
function startsOf({ starts, count }: Pick<Rows, 'count'> & { readonly starts: ArrayLike<number> }): Int32Array {
  const filled = new Int32Array(inFours(count)).fill(starts[count - 1]!)
  for (let row = 0; row < count; row++) filled[row] = starts[row]!
  return filled
}

// Four rows at a time and without branches, as branch prediction would fail half of the time.
function addTrees(
  { roots, steps, thresholds, values }: Slope,
  from: number,
  end: number,
  data: Float32Array,
  starts: Int32Array,
  sums: Float32Array,
): void {
  for (let row = 0; row + 3 < starts.length; row += 4) {
    const start1 = starts[row]!
    const start2 = starts[row + 1]!
    const start3 = starts[row + 2]!
    const start4 = starts[row + 3]!
    let sum1 = sums[row]!
    let sum2 = sums[row + 1]!
    let sum3 = sums[row + 2]!
    let sum4 = sums[row + 3]!
    for (let tree = from; tree < end; tree++) {
      let node1 = roots[tree]!
      let node2 = node1
      let node3 = node1
      let node4 = node1
      for (;;) {
        const step1 = steps[node1]!
        const step2 = steps[node2]!
        const step3 = steps[node3]!
        const step4 = steps[node4]!
        if ((step1 & step2 & step3 & step4) < 0) break
        node1 = ((step1 >>> columnBits) & nodeMask) + +(data[start1 + (step1 & columnMask)]! > thresholds[node1]!)
        node2 = ((step2 >>> columnBits) & nodeMask) + +(data[start2 + (step2 & columnMask)]! > thresholds[node2]!)
        node3 = ((step3 >>> columnBits) & nodeMask) + +(data[start3 + (step3 & columnMask)]! > thresholds[node3]!)
        node4 = ((step4 >>> columnBits) & nodeMask) + +(data[start4 + (step4 & columnMask)]! > thresholds[node4]!)
      }
      sum1 = Math.fround(sum1 + values[node1]!)
      sum2 = Math.fround(sum2 + values[node2]!)
      sum3 = Math.fround(sum3 + values[node3]!)
      sum4 = Math.fround(sum4 + values[node4]!)
    }
    sums[row] = sum1
    sums[row + 1] = sum2
    sums[row + 2] = sum3
    sums[row + 3] = sum4
  }
}
