// Answers about datasets and their rows.
import { valueKinds, type Dataset, type DatasetRow } from '@harvestman/data'
import { z } from 'zod'

const values = z.record(z.string(), z.unknown())

export const datasetSchema = z.object({
  name: z.string(),
  key: z.array(z.string()),
  schema: values.nullable(),
  columns: z.record(z.string(), z.array(z.enum(valueKinds))).describe('The kinds of values of each column.'),
  rows: z.int().min(0),
  createdAt: z.string(),
  updatedAt: z.string(),
})

export function showDataset({ key, columns, ...dataset }: Dataset): z.input<typeof datasetSchema> {
  const kinds = Object.entries(columns).map(([name, kinds]) => [name, [...kinds]])
  return { ...dataset, key: [...key], columns: Object.fromEntries(kinds) }
}

export const rowSchema = z.object({
  id: z.string(),
  values,
  source: z.string().nullable(),
  evidence: values.describe('Where the values stand, by column.'),
  firstSeen: z.number().describe('Milliseconds since 1970, like the other times of a row.'),
  changed: z.number(),
  lastSeen: z.number(),
  history: z
    .array(z.object({ until: z.number(), source: z.string().nullable(), values }))
    .describe('The values before each change, the newest first: only the columns that changed.'),
})

export function showRow({ history, ...row }: DatasetRow): z.input<typeof rowSchema> {
  return { ...row, history: [...history] }
}

export const countsSchema = z.object({ added: z.int(), changed: z.int(), same: z.int() })

export const queryAnswerSchema = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  isCut: z.boolean().describe('Whether there are more rows than the limit.'),
})
