import { fileOutput, type MakeEndpoint } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import {
  collectJob,
  exportDataset,
  getDataset,
  listDatasets,
  listRows,
  putGiven,
  queryRows,
  showDataset,
  type DatasetFile,
  type OpenDatasets,
} from './open.ts'
import { collectSchema, exportSchema, newDatasetSchema, newRowsSchema, querySchema, rowListSchema } from './requests.ts'
import {
  datasetSchema,
  putResultSchema,
  queryAnswerSchema,
  rowPageSchema,
  rowSchema,
  type PutResult,
} from './results.ts'
import { createDataset, deleteDataset, deleteRow } from './service.ts'

const one = '/v2/datasets/{name}'
const params = { name: z.string().min(1).max(63) }
const rowParams = { ...params, row: z.string().min(1).max(64) }
const rowMessages = { not_found: 'Dataset or row not found' }
const counts = ({ added, changed, same }: PutResult) => ({
  lines: [],
  message: `${added} added, ${changed} changed, ${same} the same`,
})

type Make = MakeEndpoint<OpenDatasets>

/** Endpoints that create, list and delete datasets. */
export const datasetEndpoints = (endpoint: Make) => ({
  create: endpoint({
    method: 'POST',
    path: '/v2/datasets',
    summary: 'Creates a dataset: rows with a key, an optional schema and a history.',
    input: newDatasetSchema,
    output: datasetSchema,
    errors: ['conflict'],
    example: { name: 'prices', key: ['url'] },
    command: {
      arguments: ['name'],
      flags: { key: '--by <columns>' },
      print: ({ name }) => ({
        lines: [],
        message: `The dataset ${name} is created. Add rows: harvestman datasets add ${name} rows.jsonl`,
      }),
    },
    run: async ({ own }, { team, input }) => showDataset(await createDataset(team, input, own)),
  }),
  list: endpoint({
    method: 'GET',
    path: '/v2/datasets',
    summary: 'Lists the datasets of your team, by name.',
    output: z.array(datasetSchema),
    command: {
      print: (found) => ({
        lines: found.map(({ name, rows, columns }) => [
          ...[name, `${rows} rows`],
          Object.keys(columns).join(', ').slice(0, 200),
        ]),
        message: found.length === 0 ? 'There are no datasets. Create one with harvestman datasets create.' : undefined,
      }),
    },
    run: (all, { team }) => listDatasets(all, team),
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    params,
    summary: 'Returns a dataset with its columns and its number of rows.',
    output: datasetSchema,
    errors: ['not_found'],
    run: getDataset,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: one,
    params,
    summary: 'Deletes a dataset with its rows.',
    errors: ['not_found'],
    command: { print: (_, { params }) => ({ message: `The dataset ${params['name']} is deleted.` }) },
    run: async ({ own, find, clean }, call) => {
      await deleteDataset(await find(call), own)
      clean()
    },
  }),
})

/** Endpoints that add rows, given ones or those of a finished job. */
export const writingEndpoints = (endpoint: Make) => ({
  put: endpoint({
    method: 'POST',
    path: `${one}/rows`,
    params,
    summary: 'Adds rows, and updates those with the same key. All rows are checked before one is written.',
    input: newRowsSchema,
    output: putResultSchema,
    errors: ['not_found', 'conflict'],
    // Adding the same rows twice has no further effect, because rows have a key.
    isRepeatable: true,
    example: { rows: [{ values: { url: 'https://example.com/hat', price: 12 }, source: 'https://example.com/' }] },
    command: { print: counts },
    run: putGiven,
  }),
  collect: endpoint({
    method: 'POST',
    path: `${one}/collect`,
    params,
    summary: 'Adds the rows in the documents of a crawl or batch that has ended.',
    input: collectSchema,
    output: putResultSchema,
    errors: ['not_found', 'conflict'],
    isRepeatable: true,
    example: { job: '0199b3c4-6a1e-7c2d-9f3a-1b2c3d4e5f60', from: 'json' },
    command: { print: counts },
    run: collectJob,
  }),
})

/** Endpoints that list, read and delete rows. */
export const rowEndpoints = (endpoint: Make) => ({
  rows: endpoint({
    method: 'GET',
    path: `${one}/rows`,
    params,
    summary: 'Lists rows of a dataset, a page at a time.',
    input: rowListSchema,
    output: rowPageSchema,
    isFlat: true,
    errors: ['not_found'],
    command: {
      print: ({ data, next }) => ({
        lines: data.map(({ id, values }) => [id, JSON.stringify(values)]),
        message: next === undefined ? undefined : `There are more rows. Continue with --after ${next}`,
      }),
    },
    run: listRows,
  }),
  row: endpoint({
    method: 'GET',
    path: `${one}/rows/{row}`,
    params: rowParams,
    summary: 'Returns a row with its history.',
    messages: rowMessages,
    output: rowSchema,
    errors: ['not_found'],
    run: async ({ own, find }, call) => {
      const row = await own.rows.get((await find(call)).rowsAt, call.params.row)
      if (row) return row
      throw new EngineError('not_found', 'There is no row with this id.')
    },
  }),
  deleteRow: endpoint({
    method: 'DELETE',
    path: `${one}/rows/{row}`,
    params: rowParams,
    summary: 'Deletes a row.',
    messages: rowMessages,
    errors: ['not_found'],
    run: async ({ own, find }, call) => deleteRow(await find(call), call.params.row, own),
  }),
})

/** Endpoints that query and export rows. */
export const readingEndpoints = (endpoint: Make) => ({
  query: endpoint({
    method: 'POST',
    path: `${one}/query`,
    params,
    summary: 'Runs a SELECT statement of SQLite on the rows of a dataset.',
    input: querySchema,
    output: queryAnswerSchema,
    errors: ['not_found', 'timeout'],
    isRepeatable: true,
    example: { sql: 'SELECT * FROM rows ORDER BY price LIMIT 10' },
    command: {
      arguments: ['sql'],
      defaults: { timeout: 60_000 },
      print: ({ isCut, ...table }) => ({
        table,
        message: isCut ? 'There are more rows. Raise --limit to see them.' : undefined,
      }),
    },
    run: queryRows,
  }),
  export: endpoint({
    method: 'GET',
    path: `${one}/export`,
    params,
    summary: 'Returns the dataset as a file: JSON lines, CSV or Parquet.',
    input: exportSchema,
    output: fileOutput<DatasetFile>('application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'),
    errors: ['not_found'],
    command: { extension: 'format' },
    run: exportDataset,
  }),
})
