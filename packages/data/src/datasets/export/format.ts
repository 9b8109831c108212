import type { Columns } from '../columns.ts'
import type { Row } from '../rows/row.ts'

/** A file format for exports. */
export interface ExportFormat {
  readonly mediaType: string
  /** Writes the file in chunks. */
  write(rows: AsyncIterable<readonly Row[]>, columns: Columns): AsyncGenerator<Uint8Array>
}
