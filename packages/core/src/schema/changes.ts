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

/** Whose history is asked for. */
export const historySchema = z.strictObject(page)

const version = z.int().min(1)

/** Which part of the list of tracked pages is asked for. */
export const trackedSchema = z.strictObject({
  limit: z.int().min(1).max(1_000).default(100).describe('Pages of the list at most.'),
  cursor: z
    .string()
    .regex(/^[\w-]{22}$/, 'It is not one of this list. Leave it out to begin at the start.')
    .optional()
    .describe('The `cursor` of the part before.'),
})

/** Which versions are compared: the newest with the one before it, when nothing is said. */
export const diffSchema = z.strictObject({
  ...page,
  from: version.optional().describe('The number of the older version; the one before `to` when absent.'),
  to: version.optional().describe('The number of the newer version. Default: the newest.'),
})
