// Response schemas of requests for many pages, for the OpenAPI document.
import { z } from 'zod'

import type { Schemas } from '../route/engine.ts'
import type { ApiVersion } from '../versions/api-version.ts'

const success = z.literal(true)
const id = z.uuid()

/** Returns the schema of the response to a started job. */
export const startedSchema = () =>
  z.object({
    success,
    id,
    url: z.url().describe('The URL of its status and results.'),
    invalidURLs: z.array(z.string()).optional().describe('For a batch with `ignoreInvalidURLs`: the skipped URLs.'),
    promptGeneratedOptions: z
      .looseObject({})
      .optional()
      .describe('For a crawl with a `prompt`: the options that a language model chose.'),
    finalCrawlerOptions: z
      .looseObject({})
      .optional()
      .describe('The final options. Those of the request take precedence.'),
    warning: z.string().optional(),
  })

/** Returns the schema of the response of the map endpoint in one API version. */
export function mapSchema({ linkSchema }: ApiVersion) {
  return z.object({ success, id, links: z.array(linkSchema), warning: z.string().optional() })
}

/** Returns the schema of a job's status and documents in one API version. */
export function statusSchema(schemas: Schemas, api: ApiVersion): z.ZodType {
  return z.object({
    success: z.boolean().describe('False for a job that failed before its first page.'),
    status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
    total: z.int().describe('Number of started pages, including failed ones.'),
    completed: z.int().describe('Number of pages with a document.'),
    creditsUsed: z.number(),
    ...api.moreSchema,
    expiresAt: z.iso.datetime(),
    next: z
      .url()
      .optional()
      .describe('The URL of the next documents. Absent when the job has ended and there are no more.'),
    error: z.string().optional().describe('The reason for the failure.'),
    data: z.array(api.documentSchema(schemas)),
  })
}

export const activeSchema = z.object({
  success,
  crawls: z.array(
    z.object({
      id,
      teamId: z.string(),
      url: z.string(),
      created_at: z.iso.datetime(),
      options: z.looseObject({}),
    }),
  ),
})

export const activeBatchesSchema = z.object({
  success,
  batches: z.array(z.object({ id, teamId: z.string(), created_at: z.iso.datetime(), options: z.looseObject({}) })),
})

export const errorsSchema = z.object({
  success: z.literal(true),
  errors: z.array(
    z.object({
      id: z.string(),
      timestamp: z.iso.datetime(),
      url: z.string(),
      code: z.string(),
      error: z.string(),
    }),
  ),
  robotsBlocked: z.array(z.string()).describe('URLs that robots.txt disallows.'),
})
