// Converts rows to a table: the columns of the dataset, then metadata of the row.
import type { Json } from '@harvestman/ports'

import { narrowest, type Columns, type ValueKind } from '../columns.ts'
import type { Row } from '../rows/row.ts'

/** A column of a table. */
export interface TableColumn {
  readonly name: string
  readonly kind: ValueKind | 'time'
  read(row: Row): Json
}

/**
 * Returns the table columns of a dataset, its own first. Names that start with `_` are metadata of the row. A missing value is
 * `null`.
 */
export function tableOf(columns: Columns): readonly TableColumn[] {
  const own = Object.entries(columns).map(([name, kinds]) => ({
    name,
    kind: narrowest(kinds),
    read: ({ values }: Row): Json => (Object.hasOwn(values, name) ? (values[name] ?? null) : null),
  }))
  return [
    ...own,
    { name: '_id', kind: 'text', read: ({ id }) => id },
    { name: '_source', kind: 'text', read: ({ source }) => source },
    { name: '_first_seen', kind: 'time', read: ({ firstSeen }) => firstSeen },
    { name: '_changed', kind: 'time', read: ({ changed }) => changed },
    { name: '_last_seen', kind: 'time', read: ({ lastSeen }) => lastSeen },
    { name: '_evidence', kind: 'json', read: ({ evidence }) => (Object.keys(evidence).length > 0 ? evidence : null) },
  ]
}

/** Formats a value as a string for a cell: `null` as an empty string, times (milliseconds) as ISO 8601, objects as JSON. */
export function cellText(value: Json, kind: TableColumn['kind']): string {
  if (value === null) return ''
  if (kind === 'time' && typeof value === 'number') return new Date(value).toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
