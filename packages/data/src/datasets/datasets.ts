// Datasets as a feature of an engine: rows with a key, a schema and a history, which can be exported and queried.
import { check, defineFeature, type FeatureCall, type FeatureKit } from '@harvestman/core/plugin'
import { EngineError, type Json } from '@harvestman/ports'
import { makeSemaphore } from '@harvestman/ports/adapters'

import type { Columns } from './columns.ts'
import { exportsByName, type ExportFormatName } from './export/exports.ts'
import { rowsOfDocument, type DocumentOfRows } from './from-documents.ts'
import { datasetsPort } from './into-dataset.ts'
import { runQuery, type QueryAnswer } from './query/run-query.ts'
import { datasetRecords, type DatasetRecord } from './records.ts'
import { bounds, fromDocumentSchema, newRowsSchema, querySchema, rowListSchema } from './requests.ts'
import type { DatasetQuery, FromDocument, NewDataset, NewRow, RowList } from './requests.ts'
import { keptRows } from './rows/kept-rows.ts'
import type { Row } from './rows/row.ts'
import {
  countedDataset,
  createDataset,
  deleteDataset,
  deleteRow,
  findDataset,
  putRows,
  removeDeleted,
  type DatasetKit,
  type PutResult,
} from './service.ts'

/** A dataset. */
export interface Dataset {
  readonly name: string
  readonly key: readonly string[]
  readonly schema: { readonly [key: string]: Json } | null
  readonly columns: Columns
  readonly rows: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Some rows of a dataset. */
export interface RowPage {
  readonly rows: readonly Row[]
  /** Give it as `after` for the rows behind; absent at the end. */
  readonly next?: string
}

/** A dataset as a file. */
export interface DatasetFile {
  readonly mediaType: string
  readonly bytes: AsyncGenerator<Uint8Array>
}

type OfTeam = Pick<FeatureCall, 'team'> & { readonly signal?: AbortSignal | undefined }

/** The datasets of an engine. */
export interface Datasets {
  create(dataset: NewDataset, call?: FeatureCall): Promise<Dataset>
  /** Those of your team, by name. */
  list(call?: OfTeam): Promise<readonly Dataset[]>
  get(name: string, call?: OfTeam): Promise<Dataset>
  /** Deletes a dataset with its rows. */
  delete(name: string, call?: OfTeam): Promise<void>
  /** Adds rows, and changes those with the same key. All rows are checked first: when one is refused, none is written. */
  put(name: string, rows: readonly NewRow[], call?: FeatureCall): Promise<PutResult>
  /** Adds the rows that documents have, such as those of a crawl. */
  collect(
    name: string,
    documents: Iterable<DocumentOfRows> | AsyncIterable<DocumentOfRows>,
    from: FromDocument,
    call?: FeatureCall,
  ): Promise<PutResult>
  rows(name: string, range?: RowList, call?: OfTeam): Promise<RowPage>
  /** A row with its history. */
  row(name: string, id: string, call?: OfTeam): Promise<Row>
  deleteRow(name: string, id: string, call?: OfTeam): Promise<void>
  /** The answer to a SELECT over the table `rows`. */
  query(name: string, query: DatasetQuery, call?: FeatureCall): Promise<QueryAnswer>
  /** The dataset as JSON lines, CSV or Parquet. */
  export(name: string, format: ExportFormatName, call?: OfTeam): Promise<DatasetFile>
}

/** The feature `datasets`: `engine.datasets`. */
export const datasets = defineFeature({
  name: 'datasets',
  activities: { dataset: 'datasets' },
  open: (kit) => openDatasets(kit),
})

/** Queries at once: each has a process and a copy of the rows. */
const queriesAtOnce = 2

function openDatasets(kit: FeatureKit): Datasets {
  const { store, clock, owner, signal } = kit
  const own: DatasetKit = {
    ...{ store, clock, owner, signal, lock: kit.lock, isGone: kit.isGone },
    ...{ records: datasetRecords(store), rows: keptRows(store) },
  }
  const find = ({ team = kit.team }: OfTeam, name: string): Promise<DatasetRecord> => findDataset(team, name, own)
  const asked = <Result>(call: FeatureCall, input: unknown, work: (team: string) => Promise<Result>) =>
    kit.admit({ endpoint: 'dataset', input }, call, ({ team }) => work(team))
  const clean = (): void => {
    removeDeleted(own).catch((error: unknown) => {
      if (!signal.aborted) kit.warn(`Rows of deleted datasets were not removed: ${String(error)}`)
    })
  }
  kit.provide(datasetsPort, {
    put: async (team, name, rows) => putRows(await findDataset(team, name, own), rows, own),
  })
  return {
    ...readers(own, find),
    ...queries(kit, own),
    create: (input, call = {}) => asked(call, input, async (team) => show(await createDataset(team, input, own))),
    list: async ({ team = kit.team } = {}) => (await own.records.list(team, bounds.datasetsOfTeam)).map(show),
    delete: async (name, call = {}) => {
      await deleteDataset(await find(call, name), own)
      clean()
    },
    put: (name, rows, call = {}) =>
      asked(call, { name }, async (team) => {
        const record = await findDataset(team, name, own)
        return putRows(record, check(newRowsSchema, { rows }).rows, own)
      }),
    collect: (name, documents, from, call = {}) =>
      asked(call, { name }, async (team) => {
        const where = check(fromDocumentSchema, from)
        return collect(await findDataset(team, name, own), documents, where, own)
      }),
    deleteRow: async (name, id, call = {}) => deleteRow(await find(call, name), id, own),
  }
}

type Find = (call: OfTeam, name: string) => Promise<DatasetRecord>

function readers(own: DatasetKit, find: Find): Pick<Datasets, 'get' | 'rows' | 'row' | 'export'> {
  return {
    get: async (name, call = {}) => show(await countedDataset(await find(call, name), own)),
    rows: async (name, range = {}, call = {}) => {
      const { rowsAt } = await find(call, name)
      const { limit, after } = check(rowListSchema, range)
      const rows = await own.rows.list(rowsAt, limit, after)
      const last = rows.at(-1)
      return rows.length < limit || !last ? { rows } : { rows, next: last.id }
    },
    row: async (name, id, call = {}) => {
      const { rowsAt } = await find(call, name)
      const row = await own.rows.get(rowsAt, id)
      if (row) return row
      throw new EngineError('not_found', 'There is no row with this id.')
    },
    export: async (name, format, call = {}) => {
      if (!Object.hasOwn(exportsByName, format)) {
        throw new EngineError('invalid_request', `format must be one of ${Object.keys(exportsByName).join(', ')}.`)
      }
      const { rowsAt, columns } = await find(call, name)
      const { mediaType, write } = exportsByName[format]
      const until = AbortSignal.any([own.signal, ...(call.signal ? [call.signal] : [])])
      return { mediaType, bytes: write(own.rows.all(rowsAt, until), columns) }
    },
  }
}

function queries(kit: FeatureKit, own: DatasetKit): Pick<Datasets, 'query'> {
  const permits = makeSemaphore({ limit: queriesAtOnce, spare: 1 })
  return {
    query: (name, input, call = {}) =>
      kit.admit({ endpoint: 'dataset', input: { name } }, call, async ({ team }) => {
        const { timeout, ...query } = check(querySchema, input)
        const { rowsAt, columns } = await findDataset(team, name, own)
        const late = AbortSignal.timeout(timeout)
        const until = AbortSignal.any([kit.signal, late, ...(call.signal ? [call.signal] : [])])
        const release = await permits.acquire(team, until).catch((error: unknown) => refuseLate(late, error))
        try {
          return await runQuery({ ...query, columns, rows: own.rows.all(rowsAt, until) }, until)
        } catch (error) {
          return refuseLate(late, error)
        } finally {
          release()
        }
      }),
  }
}

function refuseLate(late: AbortSignal, error: unknown): never {
  if (!late.aborted) throw error
  throw new EngineError('timeout', 'The query did not end within its timeout. Select less, or raise timeout.')
}

/** Rows that are gathered before they are written. */
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

function show({ name, key, schema, columns, rows, createdAt, updatedAt }: DatasetRecord): Dataset {
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
  return { name, key, schema, columns, rows, ...times }
}
