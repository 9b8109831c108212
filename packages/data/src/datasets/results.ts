// Schemas of the results of dataset endpoints.
import { jsonValue, type Immutable } from '@harvestman/core/plugin'
import { z } from 'zod'

import { valueKinds } from './columns.ts'
import { rowListSchema } from './requests.ts'

const values = z.record(z.string(), jsonValue)

/** A dataset. */
export const datasetSchema = z
  .object({
    name: z.string(),
    key: z.array(z.string()).describe('The columns that identify a row.'),
    schema: values.nullable(),
    columns: z.record(z.string(), z.array(z.enum(valueKinds))).describe('The kinds of values of each column.'),
    rows: z.int().min(0),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Dataset', description: 'A dataset.' })

/** A dataset. */
export type Dataset = Immutable<z.output<typeof datasetSchema>>

/** A row with its history. */
export const rowSchema = z
  .object({
    id: z.string(),
    values,
    source: z.string().nullable(),
    evidence: values.describe('Where on the page each value was found, by column.'),
    firstSeen: z.number().describe('Milliseconds since 1970, like the other times of a row.'),
    changed: z.number(),
    lastSeen: z.number(),
    history: z
      .array(z.object({ until: z.number(), source: z.string().nullable(), values }))
      .describe('The values before each change, newest first. Only changed columns.'),
  })
  .meta({ id: 'DatasetRow', description: 'A row of a dataset.' })

/** A page of rows. */
export const rowPageSchema = z.object({
  data: z.array(rowSchema),
  next: rowListSchema.shape.after.describe('Send it as `after` to get the next page.'),
})

/** A page of rows. */
export type RowPage = Immutable<z.output<typeof rowPageSchema>>

/** Number of rows that were added, changed and unchanged. */
export const putResultSchema = z
  .object({ added: z.int(), changed: z.int(), same: z.int() })
  .meta({ id: 'PutResult', description: 'Numbers of rows that were added, changed and unchanged.' })

/** Number of rows that were added, changed and unchanged. */
export type PutResult = Immutable<z.output<typeof putResultSchema>>

/** The result of a query. */
export const queryAnswerSchema = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    isCut: z.boolean().describe('Whether there are more rows than the limit.'),
  })
  .meta({ id: 'QueryAnswer', description: 'The rows that a query selects.' })

/** The result of a query. */
export type QueryAnswer = Immutable<z.output<typeof queryAnswerSchema>>
