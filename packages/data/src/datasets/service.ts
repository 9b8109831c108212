// Operations on the datasets of one team.
import { randomUUID } from 'node:crypto'

import type { FeatureKit } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { unknownName } from '@harvestman/toolbox/choices'

import { widen } from './columns.ts'
import { datasetKeys } from './keys.ts'
import type { DatasetRecord, DatasetRecords, Writing } from './records.ts'
import { bounds, type CheckedDataset } from './requests.ts'
import type { PutResult } from './results.ts'
import { checkRows, type PlainRow } from './rows/check-rows.ts'
import type { StoredRows } from './rows/kept-rows.ts'
import type { GivenRow, Outcome } from './rows/row.ts'

/** Context of dataset operations: parts of the engine, records and rows. */
export interface DatasetKit extends Pick<FeatureKit, 'store' | 'clock' | 'owner' | 'isGone' | 'lock' | 'signal'> {
  readonly records: DatasetRecords
  readonly rows: StoredRows
}

/** Rows per batch, written concurrently. */
const atOnce = 1_000

/** Maximum number of datasets to compare with a name that does not exist. */
const maxSuggested = 100

/**
 * Returns the record of a dataset. Rejects with `not_found` if the team has none with this name; the message suggests a similar
 * one.
 */
export async function findDataset(team: string, name: string, { records }: DatasetKit): Promise<DatasetRecord> {
  const record = await records.get(team, name)
  if (record) return record
  const known = await records.list(team, maxSuggested)
  const names = known.map((one) => one.name)
  throw new EngineError('not_found', unknownName('dataset', name, names))
}

/** Creates a dataset. Rejects with `conflict` if the name is taken or the team has 1,000 datasets. */
export async function createDataset(
  team: string,
  { name, key, schema }: CheckedDataset,
  kit: DatasetKit,
): Promise<DatasetRecord> {
  const known = await kit.records.list(team, bounds.datasetsOfTeam)
  if (known.length >= bounds.datasetsOfTeam) {
    throw new EngineError('conflict', `Your team has ${known.length} datasets, which is the maximum. Delete one first.`)
  }
  const now = kit.clock.now()
  const record: DatasetRecord = {
    ...{
      name,
      team,
      key,
      schema: schema ?? null,
      rowsAt: randomUUID(),
      columns: {},
      createdAt: now,
      updatedAt: now,
      rows: 0,
    },
    ...{ writing: {}, version: 0 },
  }
  if (await kit.records.create(record)) return record
  throw new EngineError('conflict', `The dataset "${name}" already exists. Choose another name, or add rows to it.`)
}

/**
 * Adds rows, or updates rows with the same key. Rejects with `invalid_request`, before writing the first, if one is invalid or
 * there would be more than 200 columns. Rejects with `invalid_request` if there would be more than 10 million rows, and with
 * `not_found` if the dataset is deleted meanwhile; earlier batches of 1,000 rows are then already stored.
 */
export async function putRows(record: DatasetRecord, plain: readonly PlainRow[], kit: DatasetKit): Promise<PutResult> {
  const rows = checkRows(plain, record)
  const columns = Object.keys(
    widen(
      record.columns,
      rows.map(({ values }) => values),
    ),
  )
  if (columns.length > bounds.columns) {
    throw new EngineError(
      'invalid_request',
      `The dataset would have ${columns.length} columns. The maximum is ${bounds.columns}: store varying values as JSON in one column.`,
    )
  }
  const sum = { added: 0, changed: 0, same: 0 }
  for (let begin = 0; begin < rows.length; begin += atOnce) {
    for (const outcome of await putSome(record, rows.slice(begin, begin + atOnce), kit)) sum[outcome] += 1
  }
  return sum
}

async function putSome(record: DatasetRecord, rows: readonly GivenRow[], kit: DatasetKit): Promise<Outcome[]> {
  const { team, name, rowsAt } = record
  const { rows: filled = 0 } = (await kit.records.get(team, name)) ?? {}
  // Looking up each row is slow, so it is done only near the limit.
  const fresh = filled + rows.length > bounds.rows ? await countNew(rowsAt, rows, kit) : rows.length
  const begin = (current: DatasetRecord): DatasetRecord => {
    if (current.rows + fresh > bounds.rows) throw full(name)
    const values = rows.map((row) => row.values)
    return { ...current, columns: widen(current.columns, values) }
  }
  return await writeCounted(record, kit, begin, async (now) => {
    const outcomes = await Promise.all(rows.map((row) => kit.rows.put(rowsAt, row, now)))
    return { result: outcomes, added: outcomes.filter((outcome) => outcome === 'added').length }
  })
}

/**
 * Writes rows and counts them. Registers the write in the record first, so that a crash in between is detected and rows are
 * recounted.
 */
async function writeCounted<T>(
  { team, name, rowsAt }: DatasetRecord,
  kit: DatasetKit,
  begin: (current: DatasetRecord) => DatasetRecord,
  write: (now: number) => Promise<{ readonly result: T; readonly added: number }>,
): Promise<T> {
  const id = randomUUID()
  const change = async (make: (current: DatasetRecord) => DatasetRecord): Promise<void> => {
    const current = await kit.records.update(team, name, (current) =>
      current.rowsAt === rowsAt ? make(current) : current,
    )
    if (current?.rowsAt !== rowsAt) throw new EngineError('not_found', `The dataset "${name}" was deleted.`)
  }
  await change((current) => {
    const writing = { ...current.writing, [id]: { owner: kit.owner, at: kit.clock.now() } }
    return { ...begin(current), writing }
  })
  const now = kit.clock.now()
  const { result, added } = await write(now)
  await change(({ writing: { [id]: begun, ...writing }, ...current }) => ({
    ...current,
    // Another engine took this write for lost and may have counted some of its rows. A new marker makes the next reader
    // recount.
    writing: begun ? writing : { ...writing, [id]: lost },
    rows: Math.max(0, current.rows + added),
    updatedAt: now,
    version: current.version + 1,
  }))
  return result
}

async function countNew(rowsAt: string, rows: readonly GivenRow[], kit: DatasetKit): Promise<number> {
  const ids = [...new Set(rows.map(({ id }) => id))]
  const known = await Promise.all(ids.map((id) => kit.rows.get(rowsAt, id)))
  return known.filter((row) => row === undefined).length
}

const lost: Writing = { owner: '', at: 0 }
/** Maximum duration of an upsert in milliseconds. After that it counts as lost. */
const longest = 600_000

function full(name: string): EngineError {
  return new EngineError(
    'invalid_request',
    `The dataset "${name}" can have at most ${bounds.rows} rows. Create another one.`,
  )
}

/**
 * Returns the record, with its rows recounted if an engine stopped during an upsert or one takes more than 10 minutes. If rows
 * are written during the count, its result is dropped. Rejects if the store fails.
 */
export async function countedDataset(record: DatasetRecord, kit: DatasetKit): Promise<DatasetRecord> {
  const since = kit.clock.now() - longest
  const left = Object.entries(record.writing).filter(([, { owner, at }]) => at < since || kit.isGone(owner))
  if (left.length === 0) return record
  const rows = await kit.rows.count(record.rowsAt, kit.signal)
  const ids = new Set(left.map(([id]) => id))
  const counted = await kit.records.update(record.team, record.name, (current) => {
    // Rows were written during the count, so its result is dropped. The next reader recounts.
    if (current.version !== record.version || current.rowsAt !== record.rowsAt) return current
    const writing = Object.fromEntries(Object.entries(current.writing).filter(([id]) => !ids.has(id)))
    return { ...current, rows, writing, version: current.version + 1 }
  })
  return counted ?? record
}

/** Deletes a row. Rejects with `not_found` if there is none with this id. */
export async function deleteRow(record: DatasetRecord, id: string, kit: DatasetKit): Promise<void> {
  const wasThere = await writeCounted(
    record,
    kit,
    (current) => current,
    async () => {
      const result = await kit.rows.delete(record.rowsAt, id)
      return { result, added: result ? -1 : 0 }
    },
  )
  if (!wasThere) throw new EngineError('not_found', 'There is no row with this id.')
}

/**
 * Deletes a dataset. Its rows are removed later, see `removeDeleted`. Does nothing if it is already deleted. Rejects if the
 * store fails.
 */
export async function deleteDataset(record: DatasetRecord, kit: DatasetKit): Promise<void> {
  await kit.store.set(datasetKeys.deleted(record.rowsAt), 1)
  await kit.records.delete(record)
}

/**
 * Removes the rows of deleted datasets, of at most 100 datasets per call. Rejects if the store fails, or when the engine
 * closes.
 */
export async function removeDeleted({ store, rows, signal }: DatasetKit): Promise<void> {
  for (const { key } of await store.list(datasetKeys.deleted(), { limit: 100 })) {
    while (await rows.clear(key.slice(datasetKeys.deleted.begins.length))) signal.throwIfAborted()
    await store.delete(key)
  }
}
