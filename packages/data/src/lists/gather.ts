// Rows of several readings of one list, each item once.
import type { Json } from '@harvestman/ports'

import type { Item, ItemColumn, Listing } from './listing.ts'

/** The rows that were read so far. */
export interface Gathered {
  /** Takes what a reading has, and says how many of its items are new. */
  add(listing: Listing): number
  readonly size: number
  /** Whether it takes no more. */
  isFull(): boolean
  /** How many items there are, as the page says it. */
  readonly total: number | undefined
  /** The JSON of the first page that values are from as well. */
  readonly json: Listing['json']
  /** The columns that have a name and what the rows are, for readings to come. */
  known(): Readonly<Record<string, Json>>
  list(): { readonly columns: readonly ItemColumn[]; readonly rows: readonly Item[] }
}

const mostColumns = 100
const mostLetters = 10_000_000

/** Gathers at most so many rows, and ten million letters. */
export function gather(limit: number): Gathered {
  const rows = new Map<string, Item>()
  const columns = new Map<string, Listing['columns'][number]>()
  let total: number | undefined
  let shape: Listing['row']
  let json: Listing['json']
  let letters = 0
  const take = (id: string, row: Item): void => {
    if (rows.has(id) || rows.size >= limit || letters >= mostLetters) return
    rows.set(id, row)
    letters += JSON.stringify(row).length
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
        if (!known && columns.size < mostColumns) columns.set(column.place, column)
        else if (known && known.kind !== column.kind) columns.set(column.place, { ...known, kind: 'text' })
      }
      total = listing.total ?? total
      shape ??= listing.row
      json ??= listing.json
      return rows.size - before
    },
    isFull: () => rows.size >= limit || letters >= mostLetters,
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

const leastShared = 0.5

/** Whether these are rows of the same list: while it loads, a page may show another one alone. */
function isSame({ columns }: Listing, known: ReadonlyMap<string, unknown>): boolean {
  const shown = columns.filter(({ place }) => !place.startsWith('json:'))
  const shared = shown.filter(({ place }) => known.has(place)).length
  return known.size === 0 || shared >= shown.length * leastShared
}

/** A column whose values are of several kinds has them all as text. */
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
