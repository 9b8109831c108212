// Rows and how they are merged on upsert. No I/O.
import { hash } from 'node:crypto'

import type { Json } from '@harvestman/ports'

import { bounds } from '../requests.ts'

/** Values by column. */
export type Values = Readonly<Record<string, Json>>

/** The values of a row before a change, and when it changed. `null` means the row had no value. */
export interface Version {
  readonly until: number
  readonly source: string | null
  readonly values: Values
}

/** A stored row. */
export interface Row {
  readonly id: string
  readonly values: Values
  readonly source: string | null
  readonly evidence: Values
  readonly firstSeen: number
  readonly changed: number
  readonly lastSeen: number
  /** Newest first. Changed columns only. */
  readonly history: readonly Version[]
}

/** A validated row to add. */
export interface GivenRow {
  readonly id: string
  readonly values: Values
  readonly source: string | null
  readonly evidence: Values
}

/** The effect of an upsert on a row. */
export type Outcome = 'added' | 'changed' | 'same'

/**
 * Returns the id of a row (22 characters). Rows with equal values in the key columns have the same id. Without a key, all
 * values count.
 */
export function rowIdOf(values: Values, key: readonly string[]): string {
  const parts = key.length > 0 ? key.map((column) => values[column] ?? null) : sorted(values)
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)
}

/** Returns a form with sorted properties, so that equal values have equal JSON. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, part]) => [name, sorted(part as Json)])
}

/**
 * Merges new values into a row, or creates it if there is no old one. Columns that are not given keep their values, and old
 * values of changed columns go to the history, which has at most 20 versions. `now` is in milliseconds.
 */
export function upsert(old: Row | undefined, given: GivenRow, now: number): { row: Row; outcome: Outcome } {
  if (!old) return { row: newRow(given, now), outcome: 'added' }
  const before = changedFrom(old.values, given.values)
  const seen = { ...old, lastSeen: now, evidence: { ...old.evidence, ...given.evidence } }
  if (!before) return { row: seen, outcome: 'same' }
  const version = { until: now, source: old.source, values: before }
  const row = {
    ...seen,
    values: { ...old.values, ...given.values },
    source: given.source ?? old.source,
    changed: now,
    history: [version, ...old.history].slice(0, bounds.versions),
  }
  return { row, outcome: 'changed' }
}

function newRow({ id, values, source, evidence }: GivenRow, now: number): Row {
  return { id, values, source, evidence, firstSeen: now, changed: now, lastSeen: now, history: [] }
}

/** Returns the old values of the changed columns, or `undefined` if none changed. */
function changedFrom(old: Values, given: Values): Values | undefined {
  const changed = Object.keys(given).filter((name) => !isSame(old[name], given[name]))
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((name) => [name, old[name] ?? null]))
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return (one ?? null) === (other ?? null)
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}
