// What is said between an engine and the process that carries out a query.
import type { ValueKind } from '../columns.ts'

/** A value of a cell in SQL. */
export type Cell = string | number | null

/** What the process is told: the table first, then its rows, then the query. */
export type ToQuery =
  | { readonly kind: 'table'; readonly columns: readonly { readonly name: string; readonly kind: ValueKind }[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'run'; readonly sql: string; readonly params: readonly Cell[]; readonly limit: number }

/** What the process says: that it wants more rows, or how the query ended. */
export type FromQuery =
  | { readonly kind: 'more' }
  | {
      readonly kind: 'done'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly Cell[])[]
      readonly isCut: boolean
    }
  | { readonly kind: 'failed'; readonly message: string }
