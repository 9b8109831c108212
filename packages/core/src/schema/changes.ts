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
    .describe('The tag of the scrapes. Scrapes without a tag have a separate history.'),
}))

/** Query for the history of a page. */
export const historySchema = lazily(() => z.strictObject(page()))

/** Query for one batch of the list of tracked pages. */
export const trackedSchema = lazily(() =>
  z.strictObject({
    limit: z.int().min(1).max(1_000).default(100).describe('Maximum number of versions to return.'),
    cursor: z
      .string()
      .regex(/^[\w-]{22}$/, 'is not a cursor of this list; omit it to start at the beginning')
      .optional()
      .describe('The `cursor` of the previous page.'),
  }),
)

/** Query for a diff of two versions. Default: the newest version and the one before it. */
export const diffSchema = lazily(() =>
  z.strictObject({
    ...page(),
    from: z.int().min(1).optional().describe('The number of the older version. Default: the version before `to`.'),
    to: z.int().min(1).optional().describe('The number of the newer version. Default: the newest.'),
  }),
)
