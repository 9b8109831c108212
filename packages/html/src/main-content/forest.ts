/** Boosted trees. The trees of a model are stored in flat arrays. */
export interface Forest {
  readonly start: number
  readonly roots: Int32Array
  /** Column of each inner node, or -1 for a leaf. */
  readonly columns: Int16Array
  /** Threshold of an inner node (values up to it go left), or value of a leaf. */
  readonly numbers: Float32Array
  /** Index of the left child. The right child follows it. */
  readonly lefts: Int32Array
}

export interface Rows {
  readonly data: Float32Array
  /** Start of each row in `data`. */
  readonly starts: Int32Array
  readonly count: number
}
