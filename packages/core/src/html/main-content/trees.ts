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
  readonly width: number
  readonly count: number
}

/** The sum of the trees for each row, as a chance. A tree is run over all rows before the next one. */
export function runForest(forest: Forest, rows: Rows, out: Float32Array, to: number): void {
  const { columns, numbers, lefts, roots } = forest
  const { data, width, count } = rows
  out.fill(forest.start, to, to + count)
  for (let t = 0; t < roots.length; t++) {
    const root = roots[t]!
    for (let row = 0, at = 0; row < count; row++, at += width) {
      let node = root
      let column = columns[node]!
      while (column >= 0) {
        node = data[at + column]! <= numbers[node]! ? lefts[node]! : lefts[node]! + 1
        column = columns[node]!
      }
      out[to + row] = out[to + row]! + numbers[node]!
    }
  }
  for (let row = to; row < to + count; row++) out[row] = 1 / (1 + Math.exp(-out[row]!))
}
