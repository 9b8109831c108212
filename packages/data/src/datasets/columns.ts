// The columns of a dataset, with the types of their values.
import type { Json } from '@harvestman/ports'

import type { Values } from './rows/row.ts'

/** The types of values. A column with several is written as the narrowest type that fits all. */
export const valueKinds = ['text', 'number', 'integer', 'boolean', 'json'] as const

/** The type of a value. */
export type ValueKind = (typeof valueKinds)[number]

/** The types of each column by its name, in order of first appearance. `null` has no type. */
export type Columns = Readonly<Record<string, readonly ValueKind[]>>

function kindOf(value: Json | undefined): ValueKind | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number'
  return 'json'
}

/** Returns the columns after adding rows; the same object if nothing is new. A column with only `null` gets no types. */
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

/**
 * Returns the type that can represent all values of a column: text for an empty list, number for integers and other numbers,
 * and JSON for any other mix.
 */
export function narrowest(kinds: readonly ValueKind[]): ValueKind {
  const [first = 'text', ...others] = kinds
  if (others.length === 0) return first
  return kinds.every((kind) => kind === 'number' || kind === 'integer') ? 'number' : 'json'
}
