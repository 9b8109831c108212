// Messages between the engine and the query process.
import type { ValueKind } from '../columns.ts'

/** A value of a cell in SQL. */
export type Cell = string | number | null

/** Messages to the query process: the table, then its rows, then the query. */
export type ToQuery =
  | { readonly kind: 'table'; readonly columns: readonly { readonly name: string; readonly kind: ValueKind }[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'run'; readonly sql: string; readonly params: readonly Cell[]; readonly limit: number }

/** Messages from the query process: ready for more rows, or the outcome of the query. */
export type FromQuery =
  | { readonly kind: 'more' }
  | {
      readonly kind: 'done'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly Cell[])[]
      readonly isCut: boolean
    }
  | { readonly kind: 'failed'; readonly message: string }
