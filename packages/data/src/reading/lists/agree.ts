// Which records of a page's JSON are the rows that it shows: by what both say.
import { type Base, lineOf, readDay, resolveUrl } from '@harvestman/html/internal'
import type { Leaf, Leaves } from './records.ts'
import type { ItemKind, ItemRow, ItemValue, PlacedColumn } from './types.ts'
import { readValue } from './values.ts'

/** A row, and its record. */
export interface Pair {
  readonly row: ItemRow
  readonly leaves: Leaves
  /** The numbers of both. */
  readonly at: readonly [row: number, record: number]
}

/** How much of what is shown must be said by the JSON too. */
const leastAgreement = 0.9
const fewestPairs = 2

const plain = (value: unknown): string => lineOf(String(value)).toLowerCase()

/** Finds the record of each row by the texts or addresses that tell rows apart; none when they do not agree. */
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
  if (best.size < fewestPairs || best.size < rows.length * leastAgreement) return []
  return [...best].map(([row, record]) => ({ row: rows[row]!, leaves: records[record]!, at: [row, record] }))
}

/** The numbers of rows by a value that one of them has alone. */
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

/** The record of each row, by the path that has the values of most. */
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

/** Makes the value of a column from a record; nothing where the record does not have it. */
export type Reading = { readonly path: string; readonly read: (leaf: Leaf) => ItemValue | undefined }

/** How the value of a column follows from the records, as all pairs show it; absent where they do not. */
export function readingOf({ name, kind }: PlacedColumn, pairs: readonly Pair[], base: Base): Reading | undefined {
  const shown = pairs.filter(({ row }) => row[name] !== undefined)
  // One value in all rows says little about others.
  if (new Set(shown.map(({ row }) => JSON.stringify(row[name]))).size < fewestPairs) return undefined
  const paths = new Set(shown.flatMap(({ leaves }) => [...leaves.keys()]))
  for (const path of paths) {
    for (const read of waysOf(kind, path, name, shown, base)) {
      const same = shown.filter(({ row, leaves }) => isSame(readFrom(leaves, { path, read }), row[name]))
      if (same.length >= shown.length * leastAgreement) return { path, read }
    }
  }
  return undefined
}

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

/** Amounts stand as they are, as texts, or in hundredths. */
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

/** What stands around the value of a path in all addresses: `/tea/` before a number. */
function aroundOf(path: string, name: string, shown: readonly Pair[]): readonly [string, string] | undefined {
  const [first] = shown
  const leaf = first?.leaves.get(path)
  const url = first?.row[name]
  if (leaf === undefined || typeof leaf === 'boolean' || typeof url !== 'string') return undefined
  const at = url.lastIndexOf(String(leaf))
  return at > 0 && leaf !== '' ? [url.slice(0, at), url.slice(at + String(leaf).length)] : undefined
}
