// The operations behind the dataset endpoints. Input is already validated.
import { check, type EndpointCall, type EndpointFile, type FeatureCall, type FeatureKit } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { makeSemaphore } from '@harvestman/toolbox/semaphore'
import type { z } from 'zod'

import { exportsByName } from './export/exports.ts'
import type { ExportFormatName } from './export/names.ts'
import { rowsOfDocument, type DocumentOfRows } from './from-documents.ts'
import { datasetsPort } from './into-dataset.ts'
import { runQuery } from './query/run-query.ts'
import { datasetRecords, type DatasetRecord } from './records.ts'
import {
  bounds,
  fromDocumentSchema,
  type collectSchema,
  type FromDocument,
  type newRowsSchema,
  type querySchema,
  type rowListSchema,
} from './requests.ts'
import type { Dataset, PutResult, QueryAnswer } from './results.ts'
import { storedRows } from './rows/kept-rows.ts'
import { countedDataset, findDataset, putRows, removeDeleted, type DatasetKit } from './service.ts'

/** A dataset exported as a file. */
export interface DatasetFile extends EndpointFile {
  readonly bytes: AsyncGenerator<Uint8Array>
}

/** A call about one dataset. */
type Call<Input = unknown> = EndpointCall<{ readonly name: string }, Input>

/** Context of the dataset endpoints. */
export interface OpenDatasets {
  readonly own: DatasetKit
  readonly kit: FeatureKit
  /** Returns the dataset's record. Rejects with `not_found`. */
  find(call: Pick<Call, 'team' | 'params'>): Promise<DatasetRecord>
  /** Removes the rows of deleted datasets in the background. */
  clean(): void
  readonly permits: ReturnType<typeof makeSemaphore>
}

/** Maximum number of concurrent queries. Each has its own process and a copy of the rows. */
const queriesAtOnce = 2

/** Opens the datasets of an engine, and lets plugins add rows through the `datasets` port. */
export function openDatasets(kit: FeatureKit): OpenDatasets {
  const { store, clock, owner, signal } = kit
  const own: DatasetKit = {
    ...{ store, clock, owner, signal, lock: kit.lock, isGone: kit.isGone },
    ...{ records: datasetRecords(store), rows: storedRows(store) },
  }
  kit.provide(datasetsPort, {
    put: async (team, name, rows) => putRows(await findDataset(team, name, own), rows, own),
  })
  return {
    ...{ own, kit, permits: makeSemaphore({ limit: queriesAtOnce, spare: 1 }) },
    find: ({ team, params: { name } }) => findDataset(team, name, own),
    clean: () => {
      removeDeleted(own).catch((error: unknown) => {
        if (!signal.aborted) kit.warn(`Rows of deleted datasets were not removed: ${errorMessage(error)}`)
      })
    },
  }
}

/** Returns a dataset with its number of rows. Rejects with `not_found` if the team has none with this name. */
export async function getDataset({ own, find }: OpenDatasets, call: Call): Promise<Dataset> {
  return showDataset(await countedDataset(await find(call), own))
}

/**
 * Adds rows, and updates rows with the same key. Rejects with `not_found`, or with `invalid_request` if a row is invalid or
 * the dataset would have too many rows or columns.
 */
export async function putGiven(
  { own, find }: OpenDatasets,
  call: Call<z.output<typeof newRowsSchema>>,
): Promise<PutResult> {
  return putRows(await find(call), call.input.rows, own)
}

/**
 * Returns a page of rows as `data`, and the id of the last one as `next` if there may be more. Rejects with `not_found` if the
 * team has no dataset with this name.
 */
export async function listRows({ own, find }: OpenDatasets, call: Call<z.output<typeof rowListSchema>>) {
  const { limit, after } = call.input
  const { rowsAt } = await find(call)
  const data = await own.rows.list(rowsAt, limit, after)
  const last = data.at(-1)
  return data.length < limit || !last ? { data } : { data, next: last.id }
}

/**
 * Returns a dataset as a file, whose bytes are written as they are read. Rejects with `not_found` if the team has none with this
 * name.
 */
export async function exportDataset(
  { own, find }: OpenDatasets,
  call: Call<{ readonly format: ExportFormatName }>,
): Promise<DatasetFile> {
  const { rowsAt, columns } = await find(call)
  const { mediaType, write } = exportsByName[call.input.format]
  return { mediaType, bytes: write(own.rows.all(rowsAt, call.signal), columns) }
}

/**
 * Runs a query. Rejects with `timeout` if it does not finish in `timeout` milliseconds, with `not_found` if there is no such
 * dataset, and with `invalid_request` if the query is not valid or the dataset is too large for it.
 */
export async function queryRows(
  { own, find, permits }: OpenDatasets,
  call: Call<z.output<typeof querySchema>>,
): Promise<QueryAnswer> {
  const { timeout, ...query } = call.input
  const { rowsAt, columns } = await find(call)
  const late = AbortSignal.timeout(timeout)
  const until = AbortSignal.any([call.signal, late])
  const release = await permits.acquire(call.team, until).catch((error: unknown) => refuseLate(late, error))
  try {
    return await runQuery({ ...query, columns, rows: own.rows.all(rowsAt, until) }, until)
  } catch (error) {
    return refuseLate(late, error)
  } finally {
    release()
  }
}

function refuseLate(late: AbortSignal, error: unknown): never {
  if (!late.aborted) throw error
  throw new EngineError('timeout', 'The query did not finish within its timeout. Select less, or raise timeout.')
}

/**
 * Adds rows from the documents of a finished job. Rejects with `conflict` while it is running, `not_found` if the team has no
 * such job or dataset, `scope_missing` if the key may not read the job, and `invalid_request` for an invalid row; earlier
 * batches of 1,000 rows are then already stored.
 */
export async function collectJob(
  { own, find, kit }: OpenDatasets,
  { input: { job: id, ...from }, ...call }: Call<z.output<typeof collectSchema>>,
): Promise<PutResult> {
  const record = await find(call)
  const job = await kit.engine.jobs.find(id, call.call)
  const { status } = await job.status()
  if (status === 'scraping') throw new EngineError('conflict', 'The job has not ended yet. Wait until it has.')
  return collect(record, job.documents({ signal: call.signal }), from, own)
}

/**
 * Adds rows from documents, such as pages of a running job. Documents without the field are skipped. Rejects with `not_found`
 * if there is no such dataset, `invalid_request` for an invalid row or `from`, and the error of the gate that refuses the
 * call. Earlier batches of 1,000 rows are then already stored.
 */
export function collectDocuments(
  { own, kit }: OpenDatasets,
  name: string,
  documents: Iterable<DocumentOfRows> | AsyncIterable<DocumentOfRows>,
  from: FromDocument,
  call: FeatureCall,
): Promise<PutResult> {
  return kit.admit({ endpoint: 'dataset', input: { query: name } }, call, async ({ team }) =>
    collect(await findDataset(team, name, own), documents, check(fromDocumentSchema, from), own),
  )
}

/** Number of rows per write. */
const gathered = 1_000

async function collect(
  record: DatasetRecord,
  documents: Iterable<DocumentOfRows> | AsyncIterable<DocumentOfRows>,
  from: FromDocument,
  own: DatasetKit,
): Promise<PutResult> {
  const sum = { added: 0, changed: 0, same: 0 }
  let waiting: ReturnType<typeof rowsOfDocument>[number][] = []
  const write = async (): Promise<void> => {
    const { added, changed, same } = await putRows(record, waiting, own)
    sum.added += added
    sum.changed += changed
    sum.same += same
    waiting = []
  }
  for await (const document of documents) {
    for (const row of rowsOfDocument(document, from)) {
      waiting.push(row)
      if (waiting.length >= gathered) await write()
    }
  }
  if (waiting.length > 0) await write()
  return sum
}

/** Converts a record to the dataset that endpoints return. */
export function showDataset({ name, key, schema, columns, rows, createdAt, updatedAt }: DatasetRecord): Dataset {
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
  return { name, key, schema, columns, rows, ...times }
}

/** Lists the datasets of a team, by name, at most 1,000. Empty if there are none. Rejects if the store fails. */
export async function listDatasets({ own }: OpenDatasets, team: string): Promise<readonly Dataset[]> {
  return (await own.records.list(team, bounds.datasetsOfTeam)).map(showDataset)
}
