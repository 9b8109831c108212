// Matches the visible rows of a page to records in its JSON.
import { type Base, lineOf, readDay, resolveUrl } from '@harvestman/html/internal'
import type { Leaf, Leaves } from './records.ts'
import type { ItemKind, ItemRow, ItemValue, PlacedColumn } from './types.ts'
import { readValue } from './values.ts'

/** A row and its record. */
export interface Pair {
  readonly row: ItemRow
  readonly leaves: Leaves
  /** Indexes of the row and the record. */
  readonly at: readonly [row: number, record: number]
}

/** Minimum share of rows that must match a record. */
const minAgreement = 0.9
const minPairs = 2

const plain = (value: unknown): string => lineOf(String(value)).toLowerCase()

/**
 * Matches rows to records by a column with unique text. Returns an empty list if fewer than two rows, or fewer than 90% of
 * them, match.
 */
export function pairsOf(
  rows: readonly ItemRow[],
  columns: readonly PlacedColumn[],
  records: readonly Leaves[],
): readonly Pair[] {
  let best: ReadonlyMap<number, number> = new Map()
  for (const column of columns.filter(({ kind }) => kind === 'text')) {
    const found = matched(numbersByValue(rows, column), records)
    if (found.size > best.size) best = found
  }
  if (best.size < minPairs || best.size < rows.length * minAgreement) return []
  return [...best].map(([row, record]) => ({ row: rows[row]!, leaves: records[record]!, at: [row, record] }))
}

/** Returns row indexes by their value in a column, for unique values only. */
function numbersByValue(rows: readonly ItemRow[], { name }: PlacedColumn): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const twice = new Set<string>()
  rows.forEach((row, index) => {
    const value = plain(row[name] ?? '')
    if (numbers.has(value) || value === '') twice.add(value)
    else numbers.set(value, index)
  })
  for (const value of twice) numbers.delete(value)
  return numbers
}

/** Returns the record of each row, using the JSON path that matches the most rows. */
function matched(numbers: ReadonlyMap<string, number>, records: readonly Leaves[]): ReadonlyMap<number, number> {
  const byPath = new Map<string, Map<number, number>>()
  records.forEach((leaves, record) => {
    for (const [path, leaf] of leaves) {
      const row = numbers.get(plain(leaf))
      if (row === undefined) continue
      const found = byPath.get(path) ?? new Map<number, number>()
      byPath.set(path, found)
      if (!found.has(row)) found.set(row, record)
    }
  })
  const sizes = [...byPath.values()]
  return sizes.reduce((one, other) => (other.size > one.size ? other : one), new Map<number, number>())
}

/** How to read the value of a column from a record. `read` returns `undefined` if the record lacks it. */
export type Reading = { readonly path: string; readonly read: (leaf: Leaf) => ItemValue | undefined }

/**
 * Returns how a column can be read from records, if this holds for at least 90% of the pairs that have a value in the column.
 * `undefined` otherwise, and if the column has fewer than two different values. Links are resolved by `base`.
 */
export function readingOf({ name, kind }: PlacedColumn, pairs: readonly Pair[], base: Base): Reading | undefined {
  const shown = pairs.filter(({ row }) => row[name] !== undefined)
  // A column with a constant value proves nothing.
  if (new Set(shown.map(({ row }) => JSON.stringify(row[name]))).size < minPairs) return undefined
  const paths = new Set(shown.flatMap(({ leaves }) => [...leaves.keys()]))
  for (const path of paths) {
    for (const read of waysOf(kind, path, name, shown, base)) {
      const same = shown.filter(({ row, leaves }) => isSame(readFrom(leaves, { path, read }), row[name]))
      if (same.length >= shown.length * minAgreement) return { path, read }
    }
  }
  return undefined
}

/** Reads a column's value from a record. Returns `undefined` if the record lacks it or it does not fit the column. */
export function readFrom(leaves: Leaves, { path, read }: Reading): ItemValue | undefined {
  const leaf = leaves.get(path)
  return leaf === undefined ? undefined : read(leaf)
}

function isSame(one: ItemValue | undefined, other: ItemValue | undefined): boolean {
  return typeof one === 'object'
    ? JSON.stringify(one) === JSON.stringify(other)
    : one !== undefined && plain(one) === plain(other)
}

type Read = Reading['read']

function waysOf(kind: ItemKind, path: string, name: string, shown: readonly Pair[], base: Base): readonly Read[] {
  if (kind === 'price') return pricesOf(shown[0]!.row[name])
  if (kind === 'number') return [(leaf) => (typeof leaf === 'boolean' || leaf === '' ? undefined : numberOf(leaf))]
  if (kind === 'date') return [(leaf) => readDay(String(leaf), undefined)]
  if (kind === 'text') return [(leaf) => lineOf(String(leaf))]
  const around = aroundOf(path, name, shown)
  const resolved: Read = (leaf) => (typeof leaf === 'string' ? resolveUrl(leaf, base) : undefined)
  return around ? [resolved, (leaf) => around[0] + String(leaf) + around[1]] : [resolved]
}

function numberOf(leaf: Leaf): number | undefined {
  const number = Number(leaf)
  return Number.isFinite(number) ? number : undefined
}

/** Returns the ways to read a price with this currency: as a number, a string, or a number of cents. */
function pricesOf(example: ItemValue | undefined): readonly Read[] {
  if (typeof example !== 'object') return []
  const { currency } = example
  const priced = (amount: number | undefined): ItemValue | undefined =>
    amount === undefined || !Number.isFinite(amount) ? undefined : { amount, currency }
  return [
    (leaf) => priced(typeof leaf === 'boolean' ? undefined : numberOf(leaf)),
    (leaf) => readValue(lineOf(String(leaf)), 'price'),
    (leaf) => priced(typeof leaf === 'number' ? leaf / 100 : undefined),
  ]
}

/** Returns the URL parts before and after the value, such as `/tea/` before an id. */
function aroundOf(path: string, name: string, shown: readonly Pair[]): readonly [string, string] | undefined {
  const [first] = shown
  const leaf = first?.leaves.get(path)
  const url = first?.row[name]
  if (leaf === undefined || typeof leaf === 'boolean' || typeof url !== 'string') return undefined
  const at = url.lastIndexOf(String(leaf))
  return at > 0 && leaf !== '' ? [url.slice(0, at), url.slice(at + String(leaf).length)] : undefined
}
