// Gradient-boosted trees for a yes-or-no question with soft answers: histograms of binned features, leaves grown best
// first, rows and columns sampled by a seeded generator, so that the same data and seed give the same trees.
import type { Tree } from '../../../packages/html/src/main-content/trees.ts'

export interface Matrix {
  readonly rows: number
  readonly width: number
  /** Column after column, each value as the number of its bin. */
  readonly bins: Uint8Array
  /** For each column, the upper edges of its bins: a value is in bin b when it is at most edge b. */
  readonly edges: readonly Float32Array[]
}

export interface Options {
  readonly trees: number
  readonly rate: number
  readonly leaves: number
  readonly leafWeight: number
  readonly leafRows: number
  readonly ridge: number
  readonly rowShare: number
  readonly columnShare: number
  readonly seed: number
}

export const binLimit = 64

/** A small, well-mixed generator of numbers in [0, 1). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Edges between values that hold about as many rows each; few distinct values get a bin each. */
export function findEdges(sample: Float32Array): Float32Array {
  const sorted = Float32Array.from(sample).sort()
  const distinct: number[] = []
  for (const value of sorted) if (distinct.length === 0 || distinct.at(-1) !== value) distinct.push(value)
  const edges: number[] = []
  if (distinct.length <= binLimit) {
    for (let i = 0; i + 1 < distinct.length; i++) edges.push(Math.fround((distinct[i]! + distinct[i + 1]!) / 2))
    return Float32Array.from(edges)
  }
  for (let b = 1; b < binLimit; b++) {
    const value = sorted[Math.floor((b * sorted.length) / binLimit)]!
    if (edges.length === 0 || edges.at(-1)! < value) edges.push(value)
  }
  return Float32Array.from(edges)
}

export function binOf(edges: Float32Array, value: number): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= edges[middle]!) high = middle
    else low = middle + 1
  }
  return low
}

export function binColumns(values: Float32Array, rows: number, width: number, random: () => number): Matrix {
  const bins = new Uint8Array(rows * width)
  const edges: Float32Array[] = []
  const sampleSize = Math.min(rows, 20_000)
  const picked = Int32Array.from({ length: sampleSize }, () => Math.floor(random() * rows))
  for (let column = 0; column < width; column++) {
    const own = findEdges(Float32Array.from(picked, (row) => values[row * width + column]!))
    edges.push(own)
    const start = column * rows
    for (let row = 0; row < rows; row++) bins[start + row] = binOf(own, values[row * width + column]!)
  }
  return { rows, width, bins, edges }
}

interface Leaf {
  readonly start: number
  readonly end: number
  readonly slopes: number
  readonly weights: number
  readonly histogram: Float64Array
  readonly node: number
  split: Split | undefined
}

interface Split {
  readonly gain: number
  readonly column: number
  readonly bin: number
}

interface Growth {
  readonly matrix: Matrix
  readonly options: Options
  readonly slopes: Float32Array
  readonly weights: Float32Array
  readonly rows: Int32Array
  readonly spare: Int32Array
  readonly columns: Int32Array
  readonly pool: Float64Array[]
}

const cell = 3

/** `target` in 0..1, `weight` 0 leaves a row out. `groups` keeps rows of one page together when rows are sampled. */
export function train(
  matrix: Matrix,
  target: Float32Array,
  weight: Float32Array,
  groups: Int32Array,
  options: Options,
): { trees: Tree[]; start: number } {
  const random = makeRandom(options.seed)
  const used = Int32Array.from(Array.from({ length: matrix.rows }, (_, row) => row).filter((row) => weight[row]! > 0))
  const start = startOf(target, weight, used)
  const margin = new Float32Array(matrix.rows).fill(start)
  const slopes = new Float32Array(matrix.rows)
  const weights = new Float32Array(matrix.rows)
  const groupCount = groups.reduce((most, group) => Math.max(most, group + 1), 0)
  const trees: Tree[] = []
  const pool: Float64Array[] = []
  for (let round = 0; round < options.trees; round++) {
    const chosen = Uint8Array.from({ length: groupCount }, () => (random() < options.rowShare ? 1 : 0))
    let steepness = 0
    for (const row of used) {
      const chance = 1 / (1 + Math.exp(-margin[row]!))
      slopes[row] = weight[row]! * (chance - target[row]!)
      weights[row] = weight[row]! * Math.max(1e-6, chance * (1 - chance))
      steepness += Math.abs(slopes[row])
    }
    const steep = (steepness / used.length) * steepTimes
    const rows = used.filter((row) => chosen[groups[row]!] === 1 && takeRow(slopes, weights, row, steep, random))
    const columns = pickColumns(matrix.width, options.columnShare, random)
    const growth = { matrix, options, slopes, weights, rows, spare: new Int32Array(rows.length), columns, pool }
    const tree = grow(growth)
    trees.push(tree)
    addAnswers(tree, matrix, used, margin)
  }
  return { trees, start }
}

const steepTimes = 2
const leastChance = 0.08

/** Rows that are answered well already are taken seldom, and then count for those that were not. */
function takeRow(
  slopes: Float32Array,
  weights: Float32Array,
  row: number,
  steep: number,
  random: () => number,
): boolean {
  const chance = Math.max(leastChance, Math.abs(slopes[row]!) / steep)
  if (chance >= 1) return true
  if (random() >= chance) return false
  slopes[row] = slopes[row]! / chance
  weights[row] = weights[row]! / chance
  return true
}

function startOf(target: Float32Array, weight: Float32Array, used: Int32Array): number {
  let yes = 0
  let all = 0
  for (const row of used) {
    yes += target[row]! * weight[row]!
    all += weight[row]!
  }
  const share = Math.min(0.999, Math.max(0.001, yes / all))
  return Math.log(share / (1 - share))
}

function pickColumns(width: number, share: number, random: () => number): Int32Array {
  const all = Array.from({ length: width }, (_, column) => column)
  for (let i = width - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = all[i]!
    all[i] = all[j]!
    all[j] = held
  }
  return Int32Array.from(all.slice(0, Math.max(1, Math.round(width * share)))).sort()
}

function grow(growth: Growth): Tree {
  const { options, rows } = growth
  const size = options.leaves * 2 - 1
  const tree: Tree = {
    column: new Int16Array(size).fill(-1),
    threshold: new Float32Array(size),
    bin: new Uint8Array(size),
    left: new Int16Array(size),
    value: new Float32Array(size),
  }
  let nodes = 1
  const leaves: Leaf[] = [makeLeaf(growth, 0, rows.length, fillHistogram(growth, 0, rows.length), 0)]
  while (leaves.length < options.leaves) {
    let best = -1
    for (let i = 0; i < leaves.length; i++) {
      const gain = leaves[i]!.split?.gain ?? 0
      if (gain > (best < 0 ? 0 : leaves[best]!.split!.gain)) best = i
    }
    if (best < 0) break
    const leaf = leaves[best]!
    const { column, bin } = leaf.split!
    tree.column[leaf.node] = column
    tree.bin[leaf.node] = bin
    tree.threshold[leaf.node] = growth.matrix.edges[column]![bin]!
    tree.left[leaf.node] = nodes
    const middle = partition(growth, leaf, column, bin)
    const [left, right] = splitLeaf(growth, leaf, middle, nodes)
    nodes += 2
    leaves[best] = left
    leaves.push(right)
  }
  for (const leaf of leaves) {
    tree.value[leaf.node] = (-leaf.slopes / (leaf.weights + options.ridge)) * options.rate
    growth.pool.push(leaf.histogram)
  }
  return tree
}

function takeHistogram(growth: Growth): Float64Array {
  const own = growth.pool.pop()
  if (!own) return new Float64Array(growth.columns.length * binLimit * cell)
  own.fill(0)
  return own
}

function fillHistogram(growth: Growth, start: number, end: number): Float64Array {
  const { matrix, columns, slopes, weights, rows } = growth
  const histogram = takeHistogram(growth)
  const count = end - start
  const ownSlopes = new Float32Array(count)
  const ownWeights = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    const row = rows[start + i]!
    ownSlopes[i] = slopes[row]!
    ownWeights[i] = weights[row]!
  }
  const { bins } = matrix
  for (let c = 0; c < columns.length; c++) {
    const base = columns[c]! * matrix.rows
    const to = c * binLimit * cell
    for (let i = 0; i < count; i++) {
      const at = to + bins[base + rows[start + i]!]! * cell
      histogram[at] = histogram[at]! + ownSlopes[i]!
      histogram[at + 1] = histogram[at + 1]! + ownWeights[i]!
      histogram[at + 2] = histogram[at + 2]! + 1
    }
  }
  return histogram
}

function makeLeaf(growth: Growth, start: number, end: number, histogram: Float64Array, node: number): Leaf {
  let slopes = 0
  let weights = 0
  for (let b = 0; b < binLimit; b++) {
    slopes += histogram[b * cell]!
    weights += histogram[b * cell + 1]!
  }
  const leaf: Leaf = { start, end, slopes, weights, histogram, node, split: undefined }
  leaf.split = findSplit(growth, leaf)
  return leaf
}

function findSplit(growth: Growth, leaf: Leaf): Split | undefined {
  const { columns, options, matrix } = growth
  const { histogram } = leaf
  const total = leaf.end - leaf.start
  if (total < options.leafRows * 2) return undefined
  const before = (leaf.slopes * leaf.slopes) / (leaf.weights + options.ridge)
  let gain = 1e-4
  let column = -1
  let bin = 0
  for (let c = 0; c < columns.length; c++) {
    const to = c * binLimit * cell
    const last = matrix.edges[columns[c]!]!.length
    let slopes = 0
    let weights = 0
    let count = 0
    for (let b = 0; b < last; b++) {
      const at = to + b * cell
      slopes += histogram[at]!
      weights += histogram[at + 1]!
      count += histogram[at + 2]!
      if (count < options.leafRows || weights < options.leafWeight) continue
      const otherWeights = leaf.weights - weights
      if (total - count < options.leafRows || otherWeights < options.leafWeight) break
      const other = leaf.slopes - slopes
      const now =
        (slopes * slopes) / (weights + options.ridge) + (other * other) / (otherWeights + options.ridge) - before
      if (now > gain) {
        gain = now
        column = columns[c]!
        bin = b
      }
    }
  }
  return column < 0 ? undefined : { gain, column, bin }
}

function partition(growth: Growth, leaf: Leaf, column: number, bin: number): number {
  const { rows, spare, matrix } = growth
  const base = column * matrix.rows
  let left = leaf.start
  let kept = 0
  for (let i = leaf.start; i < leaf.end; i++) {
    const row = rows[i]!
    if (matrix.bins[base + row]! <= bin) rows[left++] = row
    else spare[kept++] = row
  }
  rows.set(spare.subarray(0, kept), left)
  return left
}

/** Counts the smaller side and takes the other from the difference. */
function splitLeaf(growth: Growth, leaf: Leaf, middle: number, node: number): [Leaf, Leaf] {
  const leftSmaller = middle - leaf.start <= leaf.end - middle
  const small = leftSmaller ? fillHistogram(growth, leaf.start, middle) : fillHistogram(growth, middle, leaf.end)
  const large = leaf.histogram
  for (let i = 0; i < large.length; i++) large[i] = large[i]! - small[i]!
  const left = leftSmaller ? small : large
  const right = leftSmaller ? large : small
  return [makeLeaf(growth, leaf.start, middle, left, node), makeLeaf(growth, middle, leaf.end, right, node + 1)]
}

function addAnswers(tree: Tree, matrix: Matrix, rows: Int32Array, margin: Float32Array): void {
  for (const row of rows) margin[row] = margin[row]! + answer(tree, matrix, row)
}

function answer(tree: Tree, matrix: Matrix, row: number): number {
  let node = 0
  while (tree.column[node]! >= 0) {
    const right = matrix.bins[tree.column[node]! * matrix.rows + row]! > tree.bin[node]! ? 1 : 0
    node = tree.left[node]! + right
  }
  return tree.value[node]!
}
