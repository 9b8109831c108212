// Evaluates boosted trees over rows of numbers. All trees of a model lie in three flat arrays.

/** One tree as it is grown. `left` is the place of the left child, the right one follows it; a leaf has column -1. */
export interface Tree {
  readonly column: Int16Array
  readonly threshold: Float32Array
  readonly bin: Uint8Array
  readonly left: Int16Array
  readonly value: Float32Array
}

export interface Forest {
  readonly start: number
  readonly roots: Int32Array
  /** For each node its column, or -1 for a leaf. */
  readonly columns: Int16Array
  /** A node's threshold (at most: left), a leaf's value. */
  readonly numbers: Float32Array
  /** The place of the left child; the right one follows it. */
  readonly lefts: Int32Array
}

/** A forest as it is run. A leaf leads back to itself, so that rows can go down a tree together until the last has arrived. */
interface Slope {
  /** For each node the left child and the column in one number, below zero for a leaf. */
  readonly steps: Int32Array
  readonly thresholds: Float32Array
}

const columnBits = 9
const columnMask = (1 << columnBits) - 1
const leafBit = 1 << 31
const nodeMask = (1 << (31 - columnBits)) - 1

const slopes = new WeakMap<Forest, Slope>()

function slopeOf(forest: Forest): Slope {
  const known = slopes.get(forest)
  if (known) return known
  const { columns, numbers, lefts } = forest
  const slope = {
    steps: Int32Array.from(columns, (column, node) =>
      column < 0 ? (node << columnBits) | leafBit : (lefts[node]! << columnBits) | column,
    ),
    thresholds: Float32Array.from(columns, (column, node) => (column < 0 ? Infinity : numbers[node]!)),
  }
  slopes.set(forest, slope)
  return slope
}

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

export interface Rows {
  readonly data: Float32Array
  /** Where in the data each row begins. */
  readonly starts: Int32Array
  readonly count: number
}

/** Rows that stand below so many log-odds after so many trees are not run on: their answer is no. */
export interface EarlyEnd {
  readonly trees: number
  readonly below: number
}

/** The sum of the trees for each row, as a chance. */
export function runForest(forest: Forest, rows: Rows, out: Float32Array, to: number, early?: EarlyEnd): void {
  const slope = slopeOf(forest)
  const end = to + rows.count
  const trees = forest.roots.length
  const pause = early ? Math.min(early.trees, trees) : trees
  out.fill(forest.start, to, end)
  for (let tree = 0; tree < pause; tree++) addTree(forest, slope, tree, rows, out, to)
  if (early && pause < trees) runOn(forest, slope, rows, out, to, early)
  for (let row = to; row < end; row++) out[row] = 1 / (1 + Math.exp(-out[row]!))
}

function runOn(forest: Forest, slope: Slope, rows: Rows, out: Float32Array, to: number, early: EarlyEnd): void {
  const open: number[] = []
  for (let row = 0; row < rows.count; row++) if (out[to + row]! >= early.below) open.push(row)
  if (open.length === 0) return
  const sums = Float32Array.from(open, (row) => out[to + row]!)
  const left: Rows = { data: rows.data, starts: Int32Array.from(open, (row) => rows.starts[row]!), count: open.length }
  for (let tree = early.trees; tree < forest.roots.length; tree++) addTree(forest, slope, tree, left, sums, 0)
  open.forEach((row, at) => (out[to + row] = sums[at]!))
}

// Four rows at a time and without a branch: a processor guesses the way down a tree wrong half of the time.
function addTree(forest: Forest, slope: Slope, tree: number, rows: Rows, out: Float32Array, to: number): void {
  const { steps, thresholds } = slope
  const { data, starts, count } = rows
  const root = forest.roots[tree]!
  for (let row = 0; row < count; row += 4) {
    const last = count - 1
    const start1 = starts[row]!
    const start2 = starts[Math.min(row + 1, last)]!
    const start3 = starts[Math.min(row + 2, last)]!
    const start4 = starts[Math.min(row + 3, last)]!
    let node1 = root
    let node2 = root
    let node3 = root
    let node4 = root
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
    const { numbers } = forest
    out[to + row] = out[to + row]! + numbers[node1]!
    if (row + 1 < count) out[to + row + 1] = out[to + row + 1]! + numbers[node2]!
    if (row + 2 < count) out[to + row + 2] = out[to + row + 2]! + numbers[node3]!
    if (row + 3 < count) out[to + row + 3] = out[to + row + 3]! + numbers[node4]!
  }
}
