import { z } from 'zod'

import { parseWebUrl } from '../net/url.ts'
import { buildSchema, type Parts } from './build.ts'
import { mostProblems } from './problems.ts'
import type { RequestDefaults, ScrapeRequest } from './scrape.ts'
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
}

/** A request for many pages: the options of a scrape, and what is asked of them together. */
export function batchSchema(parts: Parts, defaults: RequestDefaults) {
  const schema = buildSchema(parts, defaults, batchOptions)
  return schema.superRefine((input, context) => {
    const { urls, ignoreInvalidURLs } = input as unknown as BatchRequest
    if (ignoreInvalidURLs) return
    for (const [index, url] of urls.entries()) {
      const { problem } = parseWebUrl(url, parts.schemes)
      if (problem) context.addIssue({ code: 'custom', path: ['urls', index], message: problem })
      if (context.issues.length >= mostProblems) return
    }
  })
}

export type BatchSchema = ReturnType<typeof batchSchema>

/** A batch request after the schema: checked, every default filled in, frozen. */
export type BatchRequest = Omit<ScrapeRequest, 'url'> & {
  readonly urls: readonly string[]
  readonly webhook?: Webhook | undefined
  readonly appendToId?: string | undefined
  readonly ignoreInvalidURLs: boolean
  readonly maxConcurrency?: number | undefined
}
