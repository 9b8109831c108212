import { z } from 'zod'

import type { Format } from '../plugin/field.ts'

const metadata = z
  .looseObject({
    title: z.string().optional(),
    description: z.string().optional(),
    language: z.string().optional(),
    keywords: z.union([z.string(), z.array(z.string())]).optional(),
    sourceURL: z.string(),
    url: z.string(),
    statusCode: z.int(),
    error: z.string().optional(),
    contentType: z.string().optional(),
    scrapeId: z.string(),
    proxyUsed: z.enum(['basic', 'stealth']),
    cacheState: z.enum(['hit', 'miss']).optional(),
    cachedAt: z.string().optional(),
    creditsUsed: z.int(),
  })
  .describe('What the page says about itself, and how it was loaded.')

const actionResults = z.object({
  screenshots: z.array(z.string()).optional(),
  scrapes: z.array(z.object({ url: z.string(), html: z.string() })).optional(),
  javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })).optional(),
  pdfs: z.array(z.string()).optional(),
})

/** Describes the documents of one engine. Every format is there only when it was asked for. */
export function documentSchema({ formats }: { readonly formats: readonly Format[] }): z.ZodType {
  const values = formats.map(({ type, value }) => [type, (value ?? z.unknown()).optional()])
  return z.object({
    ...Object.fromEntries(values),
    actions: actionResults.optional(),
    warning: z.string().optional(),
    metadata,
  })
}
