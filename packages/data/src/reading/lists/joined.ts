// Joins the visible rows with records in the page's JSON, which adds fields and items that are not visible.
import type { Base } from '@harvestman/html/internal'
import { pairsOf, readFrom, readingOf, type Pair, type Reading } from './agree.ts'
import { leavesOf, type Leaves, type RecordList } from './records.ts'
import { jsonPlace, listBounds, type ItemRow, type JsonPlace, type PlacedColumn } from './types.ts'

/** The visible rows and their identities. */
export interface ShownRows {
  readonly columns: readonly PlacedColumn[]
  readonly rows: readonly ItemRow[]
  readonly ids: readonly string[]
  /** The attribute or column that identifies rows; without it, all values do. */
  readonly by?: { readonly attribute: string } | { readonly column: string }
}

export interface JoinedRows extends Pick<ShownRows, 'columns' | 'rows' | 'ids'> {
  readonly json?: JsonPlace
  readonly total?: number
}

const maxFields = 40
/** Fields that occur in a smaller share of the records are omitted. */
const minShare = 0.1

/**
 * Joins rows with the best matching list of records: adds at most 40 fields to them and, if the rows are consecutive records,
 * the records that the page does not show. Returns the rows unchanged if no list matches.
 */
export function joinRecords(shown: ShownRows, lists: readonly RecordList[], base: Base): JoinedRows {
  let best:
    | { readonly list: RecordList; readonly records: readonly Leaves[]; readonly pairs: readonly Pair[] }
    | undefined
  for (const list of lists) {
    const records = list.records.map(leavesOf)
    const pairs = pairsOf(shown.rows, shown.columns, records)
    if (pairs.length > (best?.pairs.length ?? 0)) best = { list, records, pairs }
  }
  if (!best) return shown
  const { list, records, pairs } = best
  const readings = new Map(
    shown.columns.flatMap((column) => {
      const reading = readingOf(column, pairs, base)
      return reading ? [[column.name, reading] as const] : []
    }),
  )
  const fields = fieldsOf(records, new Set([...readings.values()].map(({ path }) => path)), shown.columns)
  const identify = identityOf(shown, pairs, readings)
  const all = identify && isWindow(pairs) ? hidden(records, { readings, fields, identify, pairs }) : []
  const recordOf = new Map(pairs.map(({ at: [row, record] }) => [row, record]))
  const seen = shown.rows.map((row, index) => {
    const record = recordOf.get(index)
    const more = record === undefined ? {} : extraOf(records[record]!, fields)
    return { at: record ?? -1, row: { ...row, ...more }, id: shown.ids[index]! }
  })
  const rows = all.length > 0 ? [...seen, ...all].toSorted((one, other) => one.at - other.at) : seen
  return {
    columns: [...shown.columns, ...fields.map(({ column }) => column)],
    rows: rows.map(({ row }) => row),
    ids: rows.map(({ id }) => id),
    json: placeOf(list),
    ...(list.total !== undefined && { total: list.total }),
  }
}

function placeOf({ script, url, pointer }: RecordList): JsonPlace {
  return { ...(script !== undefined && { script }), ...(url !== undefined && { url }), pointer }
}

interface Field {
  readonly path: string
  readonly column: PlacedColumn
}

/** Returns the fields of records that the visible columns do not cover. */
function fieldsOf(
  records: readonly Leaves[],
  used: ReadonlySet<string>,
  columns: readonly PlacedColumn[],
): readonly Field[] {
  const counts = new Map<string, { count: number; kinds: Set<string> }>()
  for (const leaves of records) {
    for (const [path, leaf] of leaves) {
      const known = counts.get(path) ?? { count: 0, kinds: new Set() }
      known.count += 1
      known.kinds.add(typeof leaf)
      counts.set(path, known)
    }
  }
  const names = new Set(columns.map(({ name }) => name))
  return [...counts]
    .filter(([path, { count }]) => !used.has(path) && count >= records.length * minShare)
    .slice(0, Math.min(maxFields, listBounds.columns - columns.length))
    .map(([path, { kinds }]) => {
      const [kind] = kinds
      const isPlain = kinds.size === 1 && (kind === 'number' || kind === 'boolean')
      const name = names.has(path) ? `json.${path}` : path
      return { path, column: { place: jsonPlace(path), name, kind: isPlain ? kind : 'text' } }
    })
}

function extraOf(leaves: Leaves, fields: readonly Field[]): ItemRow {
  const entries = fields.flatMap(({ path, column: { name, kind } }) => {
    const leaf = leaves.get(path)
    return leaf === undefined ? [] : [[name, kind === 'text' ? String(leaf) : leaf] as const]
  })
  return Object.fromEntries(entries)
}

/** Whether the rows are consecutive records, such as one page or the visible part of a virtual list. */
function isWindow(pairs: readonly Pair[]): boolean {
  const records = pairs.toSorted((one, other) => one.at[0] - other.at[0]).map(({ at }) => at[1])
  const [first = 0] = records
  return records.every((record, index) => record === first + index)
}

type Identify = (row: ItemRow, leaves: Leaves) => string | undefined

/**
 * Returns a function that identifies invisible records like visible rows, or `undefined` if records lack the identifying value.
 */
function identityOf(
  { by, columns, ids }: ShownRows,
  pairs: readonly Pair[],
  readings: ReadonlyMap<string, Reading>,
): Identify | undefined {
  if (!by) return columns.every(({ name }) => readings.has(name)) ? (row) => JSON.stringify(row) : undefined
  if ('column' in by) {
    const { column } = by
    if (!readings.has(column)) return undefined
    return (row) => {
      const value = row[column]
      return typeof value === 'string' ? value : undefined
    }
  }
  const idFor = (leaf: unknown): string => `${by.attribute}=${String(leaf)}`
  const paths = [...(pairs[0]?.leaves.keys() ?? [])]
  const path = paths.find((one) => pairs.every(({ leaves, at: [row] }) => idFor(leaves.get(one)) === ids[row]))
  return path === undefined ? undefined : (_, leaves) => (leaves.has(path) ? idFor(leaves.get(path)) : undefined)
}

interface Hidden {
  readonly readings: ReadonlyMap<string, Reading>
  readonly fields: readonly Field[]
  readonly identify: Identify
  readonly pairs: readonly Pair[]
}

function hidden(records: readonly Leaves[], { readings, fields, identify, pairs }: Hidden) {
  const shown = new Set(pairs.map(({ at: [, record] }) => record))
  return records.flatMap((leaves, at) => {
    if (shown.has(at)) return []
    const entries = [...readings].flatMap(([name, reading]) => {
      const value = readFrom(leaves, reading)
      return value === undefined ? [] : [[name, value] as const]
    })
    const row: ItemRow = Object.fromEntries(entries)
    const id = identify(row, leaves)
    return id === undefined ? [] : [{ at, row: { ...row, ...extraOf(leaves, fields) }, id }]
  })
}
