// Response schemas of requests for many pages, for the OpenAPI document.
import { z } from 'zod'

import type { Schemas } from '../route/engine.ts'
import type { Voice } from '../voice/voice.ts'

const success = z.literal(true)
const id = z.uuid()

/** Returns the schema of the response to a started job. */
export const startedSchema = () =>
  z.object({
    success,
    id,
    url: z.url().describe('Where its state and its results are read.'),
    invalidURLs: z
      .array(z.string())
      .optional()
      .describe('For a batch with `ignoreInvalidURLs`: the addresses that were left out.'),
    promptGeneratedOptions: z
      .looseObject({})
      .optional()
      .describe('For a crawl with a `prompt`: what a language model made of it.'),
    finalCrawlerOptions: z
      .looseObject({})
      .optional()
      .describe('The same with what the request says itself, which wins.'),
    warning: z.string().optional(),
  })

/** Returns the schema of the response of the map endpoint in one API version. */
export function mapSchema({ linkSchema }: Voice) {
  return z.object({ success, id, links: z.array(linkSchema), warning: z.string().optional() })
}

/** Returns the schema of a job's status and documents in one API version. */
export function statusSchema(schemas: Schemas, voice: Voice): z.ZodType {
  return z.object({
    success: z.boolean().describe('False for a job that failed before it had a page.'),
    status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
    total: z.int().describe('Pages that were taken up, those that failed included.'),
    completed: z.int().describe('Pages that have a document.'),
    creditsUsed: z.number(),
    ...voice.moreSchema,
    expiresAt: z.iso.datetime(),
    next: z.url().optional().describe('Where to read on. Absent when the job has ended and all was given.'),
    error: z.string().optional().describe('Why the job failed.'),
    data: z.array(voice.documentSchema(schemas)),
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
  robotsBlocked: z.array(z.string()).describe('Addresses that robots.txt kept a crawl from.'),
})
