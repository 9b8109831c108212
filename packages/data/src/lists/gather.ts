// Merges several reads of one list without duplicates.
import type { Json } from '@harvestman/ports'

import type { Item, ItemColumn, Listing } from './listing.ts'

/** The rows collected so far. */
export interface Gathered {
  /** Adds rows and returns how many were new. */
  add(listing: Listing): number
  readonly size: number
  /** Whether a limit is reached. */
  isFull(): boolean
  /** Total number of items according to the page. */
  readonly total: number | undefined
  /** The JSON source on the first page, if values came from it. */
  readonly json: Listing['json']
  /** The known columns and row shape, as options for the next read. */
  known(): Readonly<Record<string, Json>>
  list(): { readonly columns: readonly ItemColumn[]; readonly rows: readonly Item[] }
}

const maxColumns = 100
const maxCharacters = 10_000_000

/**
 * Creates a collection of at most `limit` rows, 10 million characters and 100 columns. Further rows are ignored, and so are
 * lists in which less than half of the visible columns are known.
 */
export function gather(limit: number): Gathered {
  const rows = new Map<string, Item>()
  const columns = new Map<string, Listing['columns'][number]>()
  let total: number | undefined
  let shape: Listing['row']
  let json: Listing['json']
  let characters = 0
  const take = (id: string, row: Item): void => {
    if (rows.has(id) || rows.size >= limit || characters >= maxCharacters) return
    rows.set(id, row)
    characters += JSON.stringify(row).length
  }
  return {
    add: (listing) => {
      if (!isSame(listing, columns)) return 0
      const before = rows.size
      listing.ids.forEach((id, index) => {
        const row = listing.rows[index]
        if (row) take(id, row)
      })
      for (const column of listing.columns) {
        const known = columns.get(column.place)
        if (!known && columns.size < maxColumns) columns.set(column.place, column)
        else if (known && known.kind !== column.kind) columns.set(column.place, { ...known, kind: 'text' })
      }
      total = listing.total ?? total
      shape ??= listing.row
      json ??= listing.json
      return rows.size - before
    },
    isFull: () => rows.size >= limit || characters >= maxCharacters,
    get size() {
      return rows.size
    },
    get total() {
      return total
    },
    get json() {
      return json
    },
    known: () => ({
      columns: [...columns.values()].map(({ place, name }) => ({ place, name })),
      ...(shape && { row: shape }),
    }),
    list: () => {
      const named = [...columns.values()].map(({ name, kind }) => ({ name, kind }))
      return { columns: named, rows: [...rows.values()].map((row) => inColumns(row, named)) }
    },
  }
}

const minShared = 0.5

/** Whether a listing is the same list as before. While loading, a page may briefly show another one. */
function isSame({ columns }: Listing, known: ReadonlyMap<string, unknown>): boolean {
  const shown = columns.filter(({ place }) => !place.startsWith('json:'))
  const shared = shown.filter(({ place }) => known.has(place)).length
  return known.size === 0 || shared >= shown.length * minShared
}

/** Converts values to text in columns with mixed types. */
function inColumns(row: Item, columns: readonly ItemColumn[]): Item {
  const entries = columns.flatMap(({ name, kind }) => {
    const value = row[name]
    if (value === undefined) return []
    return [[name, kind === 'text' && typeof value !== 'string' ? wordsOf(value) : value] as const]
  })
  return Object.fromEntries(entries)
}

function wordsOf(value: Exclude<Item[string], string>): string {
  return typeof value === 'object' ? `${value.amount} ${value.currency}` : String(value)
}
