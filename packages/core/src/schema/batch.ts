import { z } from 'zod'

import { maxConcurrency, maxCredits } from './job-options.ts'
import type { ScrapeRequest } from './scrape.ts'
import { webhookSchema, type Webhook } from './webhook.ts'

/** Maximum number of URLs in one request. `appendToId` adds more to the same batch. */
export const maxBatchUrls = 100_000

/** Options of a batch in addition to its page options. */
export const batchOptions = {
  urls: z
    .array(z.string())
    .min(1)
    .max(maxBatchUrls)
    .meta({ title: 'Addresses', description: 'The pages to scrape.', group: 'Which pages', order: 0 }),
  webhook: webhookSchema.optional(),
  appendToId: z
    .uuid()
    .meta({
      title: 'Add to a batch',
      description: 'Adds the URLs to the batch with this id, with its options.',
      group: 'Which pages',
    })
    .optional(),
  ignoreInvalidURLs: z
    .boolean()
    .meta({
      title: 'Skip invalid URLs',
      description: 'Skips invalid URLs, and lists them in `invalidURLs`. Otherwise an invalid URL fails the batch.',
      group: 'Which pages',
    })
    .default(false),
  maxConcurrency,
  maxCredits,
}

/** A parsed batch request: validated, with defaults filled in, frozen. */
export type BatchRequest = Omit<ScrapeRequest, 'url'> & {
  readonly urls: readonly string[]
  readonly webhook?: Webhook | undefined
  readonly appendToId?: string | undefined
  readonly ignoreInvalidURLs: boolean
  readonly maxConcurrency?: number | undefined
  readonly maxCredits?: number | undefined
}
