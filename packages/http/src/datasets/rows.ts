// The rows about datasets.
import { EngineError, endpointOf, type AnyDocument } from '@harvestman/core'
import {
  exportFormats,
  fromDocumentSchema,
  newDatasetSchema,
  newRowsSchema,
  querySchema,
  rowListSchema,
  type DatasetFile,
  type Datasets,
} from '@harvestman/data'
import { z } from 'zod'

import { always, type Answer } from '../answer/answer.ts'
import type { ApiEngine } from '../route/engine.ts'
import { route, success, type Route, type RouteCall, type Words } from '../route/route.ts'
import { countsSchema, datasetSchema, queryAnswerSchema, rowSchema, showDataset, showRow } from './answers.ts'

const words: Words = { notFound: 'Dataset not found', statuses: { not_configured: 503 } }
const common = { group: 'datasets', words } as const
const reading = { ...common, rate: 'status' } as const
const one = '/v2/datasets/{name}'
const params = { name: z.string().max(63) }
const rowParams = { ...params, row: z.string().max(64) }
const fails = ['not_found', 'not_configured'] as const

function datasetsOf({ datasets }: Pick<ApiEngine, 'datasets'>): Datasets {
  if (datasets) return datasets
  throw new EngineError('not_configured', 'This server has no datasets.')
}

const nameOf = ({ params }: Pick<RouteCall, 'params'>): string => params['name'] ?? ''

const datasetRows: readonly Route[] = [
  route({
    ...common,
    method: 'POST',
    path: '/v2/datasets',
    summary: 'Creates a dataset: rows with a key, an optional schema and a history.',
    fails: ['conflict', 'not_configured'],
    input: () => newDatasetSchema,
    engineChecks: true,
    example: { name: 'prices', key: ['url'] },
    output: () => z.object({ success: z.literal(true), data: datasetSchema }),
    run: async ({ engine, input, asker }) => success(showDataset(await datasetsOf(engine).create(input, asker))),
  }),
  route({
    ...reading,
    method: 'GET',
    path: '/v2/datasets',
    summary: 'Lists the datasets of your team, by name.',
    fails: ['not_configured'],
    output: () => z.object({ success: z.literal(true), data: z.array(datasetSchema) }),
    run: async ({ engine, team }) => success((await datasetsOf(engine).list({ team })).map(showDataset)),
  }),
  route({
    ...reading,
    method: 'GET',
    path: one,
    params,
    summary: 'Returns a dataset with its columns and its number of rows.',
    fails,
    output: () => z.object({ success: z.literal(true), data: datasetSchema }),
    run: async ({ engine, team, ...call }) =>
      success(showDataset(await datasetsOf(engine).get(nameOf(call), { team }))),
  }),
  route({
    ...reading,
    method: 'DELETE',
    path: one,
    params,
    summary: 'Deletes a dataset with its rows.',
    fails,
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, team, ...call }) => {
      await datasetsOf(engine).delete(nameOf(call), { team })
      return { success: true as const }
    },
  }),
]

const collecting = z.strictObject({
  job: z.uuid().meta({ title: 'Job', description: 'The id of a crawl or batch that has ended.' }),
  ...fromDocumentSchema.shape,
})

const rowRows: readonly Route[] = [
  route({
    ...common,
    method: 'POST',
    path: `${one}/rows`,
    params,
    summary: 'Adds rows, and updates those with the same key. All rows are checked before one is written.',
    fails: [...fails, 'conflict'],
    input: () => newRowsSchema,
    example: { rows: [{ values: { url: 'https://example.com/hat', price: 12 }, source: 'https://example.com/' }] },
    output: () => z.object({ success: z.literal(true), data: countsSchema }),
    run: async ({ engine, input, asker, ...call }) =>
      success({ ...(await datasetsOf(engine).put(nameOf(call), input.rows, asker)) }),
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/collect`,
    params,
    summary: 'Adds the rows in the documents of a crawl or batch that has ended.',
    fails: [...fails, 'conflict'],
    input: () => collecting,
    example: { job: '0199b3c4-6a1e-7c2d-9f3a-1b2c3d4e5f60', from: 'json' },
    output: () => z.object({ success: z.literal(true), data: countsSchema }),
    run: async ({ engine, input, asker, signal, ...call }) => {
      const { job: id, ...from } = input
      const job = await engine.jobs.find(id, asker)
      const { kind, completedAt } = await job.status()
      // Its rows are then read with the scopes of datasets: the key must be one that may read the job itself.
      await engine.admit({ group: endpointOf(kind), rate: 'status' }, asker)
      if (completedAt === undefined) throw new EngineError('conflict', 'The job has not ended yet. Wait until it has.')
      const documents: AsyncIterable<AnyDocument> = job.documents({ signal })
      return success({ ...(await datasetsOf(engine).collect(nameOf(call), documents, from, asker)) })
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${one}/rows`,
    params,
    summary: 'Lists rows of a dataset, a page at a time.',
    fails,
    query: rowListSchema,
    output: () =>
      z.object({
        success: z.literal(true),
        data: z.array(rowSchema),
        next: z.string().optional().describe('Send it as `after` for the rows behind.'),
      }),
    run: async ({ engine, query, team, ...call }) => {
      const { rows, next } = await datasetsOf(engine).rows(nameOf(call), query, { team })
      return { ...success(rows.map(showRow)), ...(next !== undefined && { next }) }
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${one}/rows/{row}`,
    params: rowParams,
    summary: 'Returns a row with its history.',
    fails,
    output: () => z.object({ success: z.literal(true), data: rowSchema }),
    run: async ({ engine, team, params: { name = '', row = '' } }) =>
      success(showRow(await datasetsOf(engine).row(name, row, { team }))),
  }),
  route({
    ...reading,
    method: 'DELETE',
    path: `${one}/rows/{row}`,
    params: rowParams,
    summary: 'Deletes a row.',
    fails,
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, team, params: { name = '', row = '' } }) => {
      await datasetsOf(engine).deleteRow(name, row, { team })
      return { success: true as const }
    },
  }),
]

function fileAnswer({ mediaType, bytes }: DatasetFile, headers: Answer['headers']): Answer {
  return { status: 200, headers: { ...always, ...headers, 'content-type': mediaType }, body: bytes, hasEnd: true }
}

const readingRows: readonly Route[] = [
  route({
    ...common,
    method: 'POST',
    path: `${one}/query`,
    params,
    summary: 'Answers one SELECT of SQLite over the rows of a dataset.',
    fails: [...fails, 'timeout'],
    input: () => querySchema,
    engineChecks: true,
    example: { sql: 'SELECT * FROM rows ORDER BY price LIMIT 10' },
    output: () => z.object({ success: z.literal(true), data: queryAnswerSchema }),
    run: async ({ engine, input, asker, ...call }) => {
      const { columns, rows, isCut } = await datasetsOf(engine).query(nameOf(call), input, asker)
      return success({ columns: [...columns], rows: rows.map((row) => [...row]), isCut })
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${one}/export`,
    params,
    summary: 'Returns the dataset as a file: JSON lines, CSV or Parquet.',
    fails,
    query: z.object({ format: z.enum(exportFormats).default('jsonl').describe('The file format.') }),
    output: () => z.string(),
    gives: 'application/x-ndjson',
    run: async ({ engine, query: { format }, team, signal, ...call }) =>
      datasetsOf(engine).export(nameOf(call), format, { team, signal }),
    answer: fileAnswer,
  }),
]

export const datasetRoutes: readonly Route[] = [...datasetRows, ...rowRows, ...readingRows]
