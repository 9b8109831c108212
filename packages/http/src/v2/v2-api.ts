import { z } from 'zod'

import { imageResultSchema, newsResultSchema, webResultSchema } from '../versions/search-results.ts'
import { outcomes } from '../versions/outcomes.ts'
import type { EngineRequest, SearchFormat, ApiVersion } from '../versions/api-version.ts'

// Version 2 uses the engine's own options, so the engine validates them.
function ask(kind: 'scrape' | 'crawl' | 'batch' | 'map' | 'search'): EngineRequest {
  return { input: (schemas) => schemas[kind], engineChecks: true, toCore: (input) => input }
}

const pagination = z.object({
  skip: z.coerce.number().int().min(0).optional().describe('Number of documents to skip.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Maximum number of documents in a response. Default: 100.'),
})

const ids = z.array(z.uuid()).optional()

const search: SearchFormat = {
  ...ask('search'),
  data: ({ web, news, images }) => ({ ...(web && { web }), ...(news && { news }), ...(images && { images }) }),
  dataSchema: z
    .object({
      web: z.array(webResultSchema).optional(),
      news: z.array(newsResultSchema).optional(),
      images: z.array(imageResultSchema).optional(),
      tools: z.array(z.unknown()).optional().describe('Empty: this server has no data providers.'),
    })
    .describe('By source. Only requested sources.'),
  more: ({ creditsUsed, scrapeIds }) => ({ creditsUsed, ...(scrapeIds && { scrapeIds }) }),
  moreSchema: {
    creditsUsed: z.int(),
    scrapeIds: z
      .object({ web: ids, news: ids })
      .optional()
      .describe('With `asyncScraping`: the ids of the scrapes, in the order of the results.'),
  },
}

export const v2Api: ApiVersion = {
  version: 'v2',
  scrape: ask('scrape'),
  crawl: ask('crawl'),
  batch: ask('batch'),
  map: ask('map'),
  search,
  pagination,
  pieces: async (documents) => documents,
  document: (document) => document,
  documentSchema: ({ document }) => document,
  documentAnswer: (document) => document,
  documentAnswerSchema: ({ document }) => document,
  more: ({ createdAt, completedAt, message, status, outcome, failed }, now) => ({
    ...{ outcome, failed },
    createdAt,
    ...(completedAt !== undefined && { completedAt }),
    duration: Math.max(0, (completedAt === undefined ? now : Date.parse(completedAt)) - Date.parse(createdAt)) / 1_000,
    ...(message !== undefined && status !== 'failed' && { warning: message }),
  }),
  moreSchema: {
    outcome: z
      .enum(outcomes)
      .describe('Like `status`, but `completed_with_failures` if the job completed and pages failed.'),
    failed: z.int().describe('Number of failed pages. At the end, `completed + failed + cancelled = total`.'),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().optional(),
    duration: z.number().describe('Seconds.'),
    warning: z.string().optional(),
  },
  link: (link) => link,
  linkSchema: z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() }),
  options: (request) => request,
  hasHints: true,
  asksProviders: true,
  tellsEnd: true,
}
