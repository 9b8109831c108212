/** A row of the table of a job, by the names of its columns. */
export type Row = Readonly<Record<string, string | number | boolean | undefined>>

/** The documents of a job as a table. */
export interface Table {
  readonly columns: readonly string[]
  /** Rows in the parts in which they were read. */
  readonly parts: readonly (readonly Row[])[]
}
