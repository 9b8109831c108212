import { z } from 'zod'

import { lazily } from '../lib/lazily.ts'
import { webUrl } from './scrape.ts'

const page = lazily(() => ({
  url: webUrl,
  tag: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe('That of the scrapes; those without one have a history of their own.'),
}))

/** Query for the history of a page. */
export const historySchema = lazily(() => z.strictObject(page()))

/** Query for one batch of the list of tracked pages. */
export const trackedSchema = lazily(() =>
  z.strictObject({
    limit: z.int().min(1).max(1_000).default(100).describe('Pages of the list at most.'),
    cursor: z
      .string()
      .regex(/^[\w-]{22}$/, 'It is not one of this list. Leave it out to begin at the start.')
      .optional()
      .describe('The `cursor` of the part before.'),
  }),
)

/** Query for a diff of two versions. Default: the newest version and the one before it. */
export const diffSchema = lazily(() =>
  z.strictObject({
    ...page(),
    from: z.int().min(1).optional().describe('The number of the older version; the one before `to` when absent.'),
    to: z.int().min(1).optional().describe('The number of the newer version. Default: the newest.'),
  }),
)
