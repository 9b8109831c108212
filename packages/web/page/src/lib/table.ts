/** A row of the table of a job, by column name. */
export type Row = Readonly<Record<string, string | number | boolean | undefined>>

/** The documents of a job as a table. */
export interface Table {
  readonly columns: readonly string[]
  /** Rows in batches, as they were loaded. */
  readonly parts: readonly (readonly Row[])[]
}
