/** Limits on how much of a file is read. Plain data, because it is sent to the thread with the file. */
export interface Limits {
  /** Maximum number of parts of an archive. */
  readonly entries: number
  /** Maximum number of files of a zip file, of attachments of a mail, and of mails of a mailbox, that are read. */
  readonly files: number
  /** Maximum size of all files in a file, in bytes, that other parsers of the engine read, such as PDFs. */
  readonly innerBytes: number
  /** Maximum size of an archive in bytes, decompressed. */
  readonly unpackedBytes: number
  /** Maximum compression ratio of a part that is larger than a megabyte. */
  readonly ratio: number
  /** Maximum nesting depth of elements. */
  readonly depth: number
  /** Maximum number of XML elements of a file other than a workbook, or of text runs in RTF. The rest is omitted. */
  readonly elements: number
  /** Maximum number of paragraphs of a file other than a workbook, including those in lists and table cells. */
  readonly paragraphs: number
  /** Maximum number of lines of a mail or a mailbox. The rest is omitted. */
  readonly lines: number
  /** Maximum number of rows in all sheets of a file. */
  readonly rows: number
  /** Maximum number of cells in all sheets of a file. */
  readonly cells: number
  /** Maximum number of HTML characters for all sheets of a file. */
  readonly characters: number
}

export const defaultLimits: Limits = {
  entries: 10_000,
  files: 200,
  innerBytes: 10_000_000,
  unpackedBytes: 200_000_000,
  ratio: 200,
  depth: 400,
  elements: 400_000,
  paragraphs: 50_000,
  lines: 500_000,
  rows: 50_000,
  cells: 1_000_000,
  characters: 15_000_000,
}
