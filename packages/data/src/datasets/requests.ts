// Request schemas of datasets.
import { jsonSchema, jsonValue } from '@harvestman/core/plugin'
import { z } from 'zod'

import { exportFormats } from './export/names.ts'

/** Limits of datasets and queries. */
export const bounds = {
  datasetsOfTeam: 1_000,
  rows: 10_000_000,
  rowsOfCall: 10_000,
  columns: 200,
  /** Characters of a row as JSON. */
  rowSize: 65_536,
  versions: 20,
  listed: 1_000,
  sql: 20_000,
  queryRows: 10_000,
  queryTime: 120_000,
  /** Characters of all rows that a query loads. */
  querySize: 512 * 1024 * 1024,
} as const

const name = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'Use up to 63 lowercase letters, digits, - and _, beginning with a letter or digit.',
  )
  .meta({ title: 'Name', description: 'The name of the dataset, unique in your team.' })

const column = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.startsWith('_'), 'Names that begin with _ are reserved: choose another.')

/** Options of a new dataset. */
export const newDatasetSchema = z.strictObject({
  name,
  key: z
    .array(column)
    .max(8)
    .meta({
      title: 'Key',
      description:
        'The columns that identify a row. Rows with equal values in them are the same row. Default: all columns.',
    })
    .default([]),
  schema: jsonSchema.meta({ title: 'Schema', description: 'A JSON Schema that each row must fit.' }).optional(),
})

/** Options of a new dataset. */
export type NewDataset = z.input<typeof newDatasetSchema>

/** Options of a new dataset, with defaults applied. */
export type CheckedDataset = z.output<typeof newDatasetSchema>

const evidence = z.record(z.string().max(200), jsonValue).meta({
  title: 'Evidence',
  description: 'Where on the page each value was found, by column.',
})

/** A row to add. */
const newRowSchema = z
  .strictObject({
    values: z.record(column, jsonValue).meta({ title: 'Values', description: 'The values of the row, by column.' }),
    source: z.string().max(2_000).meta({ title: 'Source', description: 'The URL that the row comes from.' }).optional(),
    evidence: evidence.optional(),
  })
  .meta({ id: 'NewDatasetRow', description: 'A row to add.' })

/** A row to add. */
export type NewRow = z.input<typeof newRowSchema>

/** The rows of one call. */
export const newRowsSchema = z.strictObject({
  rows: z
    .array(newRowSchema)
    .min(1)
    .max(bounds.rowsOfCall)
    .meta({ title: 'Rows', description: `1 to ${bounds.rowsOfCall} rows.` }),
})

/** Where documents contain rows. */
export const fromDocumentSchema = z.strictObject({
  from: z.string().min(1).max(200).meta({
    title: 'From',
    description: 'The field of the documents that contains the rows, such as `json` or `items`.',
  }),
  path: z
    .string()
    .max(500)
    .meta({
      title: 'Path',
      description:
        'The property of the field that contains the rows, such as `a.b`. Default: the field itself if it is an array, its only array, or the whole field as one row.',
    })
    .optional(),
})

/** Where documents contain rows. */
export type FromDocument = z.input<typeof fromDocumentSchema>

/** A job whose documents contain rows. */
export const collectSchema = z.strictObject({
  job: z.uuid().meta({ title: 'Job', description: 'The id of a crawl or batch that has ended.' }),
  ...fromDocumentSchema.shape,
})

/** The file format of an export. */
export const exportSchema = z.object({
  format: z.enum(exportFormats).default('jsonl').describe('The file format.'),
})

/** Page size and cursor for listing rows. */
export const rowListSchema = z.object({
  limit: z
    .int()
    .min(1)
    .max(bounds.listed)
    .meta({ title: 'Limit', description: 'The maximum number of rows to return.' })
    .default(100),
  after: z
    .string()
    .max(64)
    .meta({ title: 'After', description: 'The id of the last row of the previous page: its `next`.' })
    .optional(),
})

/** Page size and cursor for listing rows. */
export type RowList = z.input<typeof rowListSchema>

/** An SQL query with its parameters and limits. */
export const querySchema = z.strictObject({
  sql: z.string().min(1).max(bounds.sql).meta({
    title: 'SQL',
    description: 'A SELECT statement of SQLite. The table `rows` has the columns of the dataset.',
  }),
  params: z
    .array(z.union([z.string().max(10_000), z.number(), z.null()]))
    .max(100)
    .meta({ title: 'Parameters', description: 'The values of the `?` in the SQL.' })
    .default([]),
  limit: z
    .int()
    .min(1)
    .max(bounds.queryRows)
    .meta({ title: 'Limit', description: 'The maximum number of rows to return.' })
    .default(1_000),
  timeout: z
    .int()
    .min(100)
    .max(bounds.queryTime)
    .meta({ title: 'Timeout', description: 'How long the query may take.', unit: 'ms' })
    .default(10_000),
})

/** An SQL query with its parameters and limits. */
export type DatasetQuery = z.input<typeof querySchema>
