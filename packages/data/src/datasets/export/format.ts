import type { Columns } from '../columns.ts'
import type { Row } from '../rows/row.ts'

/** A file format that rows are written as. */
export interface ExportFormat {
  readonly mediaType: string
  /** The file, a piece at a time. */
  write(rows: AsyncIterable<readonly Row[]>, columns: Columns): AsyncGenerator<Uint8Array>
}
