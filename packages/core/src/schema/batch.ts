import { z } from 'zod'

import type { ScrapeRequest } from './scrape.ts'
import { webhookSchema, type Webhook } from './webhook.ts'

/** The most addresses of one request; more are added with `appendToId`. */
export const mostUrls = 100_000

/** What is asked of many pages together. */
export const batchOptions = {
  urls: z.array(z.string()).min(1).max(mostUrls),
  webhook: webhookSchema.optional(),
  /** Adds to a batch that is there. */
  appendToId: z.uuid().optional(),
  ignoreInvalidURLs: z.boolean().default(false),
  maxConcurrency: z.int().min(1).optional(),
  /** The job ends before it would cost more. */
  maxCredits: z.int().min(1).optional(),
}

/** A batch request after the schema: checked, every default filled in, frozen. */
export type BatchRequest = Omit<ScrapeRequest, 'url'> & {
  readonly urls: readonly string[]
  readonly webhook?: Webhook | undefined
  readonly appendToId?: string | undefined
  readonly ignoreInvalidURLs: boolean
  readonly maxConcurrency?: number | undefined
  readonly maxCredits?: number | undefined
}
