/** Boosted trees. All trees of a model lie in three flat arrays. */
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

export interface Rows {
  readonly data: Float32Array
  /** Where in the data each row begins. */
  readonly starts: Int32Array
  readonly count: number
}
