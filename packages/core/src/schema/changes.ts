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

/** Which versions are compared: the newest with the one before it, when nothing is said. */
export const diffSchema = z.strictObject({
  ...page,
  from: version.optional().describe('The number of the older version; the one before `to` when absent.'),
  to: version.optional().describe('The number of the newer version. Default: the newest.'),
})
