// The columns of a dataset: what kinds of values each has had.
import type { Json } from '@harvestman/ports'

import type { Values } from './rows/row.ts'

/** The kinds of values. A column that has had several is written as the narrowest that holds them all. */
export const valueKinds = ['text', 'number', 'integer', 'boolean', 'json'] as const

/** A kind of values. */
export type ValueKind = (typeof valueKinds)[number]

/** The kinds of each column, by its name, in the order in which the columns came. `null` has no kind. */
export type Columns = Readonly<Record<string, readonly ValueKind[]>>

function kindOf(value: Json | undefined): ValueKind | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number'
  return 'json'
}

/** The columns after some more rows; the very same ones when nothing is new. */
export function widen(columns: Columns, rows: Iterable<Values>): Columns {
  const added = new Map<string, Set<ValueKind>>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const kind = kindOf(value)
      const known = Object.hasOwn(columns, name) ? columns[name] : undefined
      if (known && (kind === undefined || known.includes(kind))) continue
      const kinds = added.get(name) ?? new Set(known)
      if (kind !== undefined) kinds.add(kind)
      added.set(name, kinds)
    }
  }
  if (added.size === 0) return columns
  return { ...columns, ...Object.fromEntries([...added].map(([name, kinds]) => [name, [...kinds]])) }
}

/** The one kind as which all values of a column can be written. */
export function narrowest(kinds: readonly ValueKind[]): ValueKind {
  const [first = 'text', ...others] = kinds
  if (others.length === 0) return first
  return kinds.every((kind) => kind === 'number' || kind === 'integer') ? 'number' : 'json'
}
