/** How much of a file is read. All of it is data, and crosses into the thread with the file. */
export interface Limits {
  /** Parts of one archive. */
  readonly entries: number
  /** Bytes of one archive, unpacked. */
  readonly unpackedBytes: number
  /** How many times larger than packed a part may be, once it is larger than a megabyte. */
  readonly ratio: number
  /** Elements inside each other. */
  readonly depth: number
  /** Elements of the XML of one file that is no workbook; runs of text in RTF. What comes after them is left out. */
  readonly elements: number
  /** Paragraphs of one file that is no workbook, those in lists and in cells of tables counted. */
  readonly paragraphs: number
  /** Rows of all sheets of one file. */
  readonly rows: number
  /** Cells of all sheets of one file. */
  readonly cells: number
  /** Characters of HTML that the sheets of one file become. */
  readonly characters: number
}

export const defaultLimits: Limits = {
  entries: 10_000,
  unpackedBytes: 200_000_000,
  ratio: 200,
  depth: 400,
  elements: 400_000,
  paragraphs: 50_000,
  rows: 50_000,
  cells: 1_000_000,
  characters: 15_000_000,
}
