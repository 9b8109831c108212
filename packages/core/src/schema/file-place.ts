// Places in files that have pages.

/** Where a passage is in a file that has pages. */
export interface FilePlace {
  /** From 1. */
  readonly page: number
  /** Left, top, right and bottom edge of its blocks as fractions of the page. Absent for rotated text. */
  readonly box?: readonly [left: number, top: number, right: number, bottom: number]
}

/** A block of a file that has pages, and its range in the Markdown. */
export interface PlacedBlock extends FilePlace {
  readonly start: number
  readonly end: number
}
