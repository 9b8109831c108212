import { z } from 'zod'

import { webUrl } from './scrape.ts'

const page = {
  url: webUrl,
  tag: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe('That of the scrapes; those without one have a history of their own.'),
}

/** Query for the history of a page. */
export const historySchema = z.strictObject(page)

const version = z.int().min(1)

/** Query for the list of tracked pages: one part of it. */
export const trackedSchema = z.strictObject({
  limit: z.int().min(1).max(1_000).default(100).describe('Pages of the list at most.'),
  cursor: z
    .string()
    .regex(/^[\w-]{22}$/, 'It is not one of this list. Leave it out to begin at the start.')
    .optional()
    .describe('The `cursor` of the part before.'),
})

/** Query for a diff of two versions: when none are named, the newest and the one before it. */
export const diffSchema = z.strictObject({
  ...page,
  from: version.optional().describe('The number of the older version; the one before `to` when absent.'),
  to: version.optional().describe('The number of the newer version. Default: the newest.'),
})
