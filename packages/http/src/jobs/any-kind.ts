// Routes about one job of any kind. Only in version 2; not part of the public API.
import { errorCodes, type JobRow } from '@harvestman/core'
import { z } from 'zod'

import { shownError } from '../refusals/errors.ts'
import { route, type Route } from '../route/route.ts'
import { words } from './group.ts'
import { jobSchema, toListedJob } from './listing.ts'

const common = { method: 'GET', group: 'team', rate: 'status', words, fails: ['not_found'] } as const
const defaultRows = 1_000

const row = z.object({
  outcome: z
    .enum(['visited', 'failed', 'left'])
    .describe('Visited pages have a document. Skipped URLs are not counted as pages.'),
  at: z.iso.datetime(),
  url: z.string(),
  id: z.string().optional().describe('The id of the scrape.'),
  status: z.int().optional().describe('The HTTP status of the page.'),
  title: z.string().optional().describe('At most its first 200 characters.'),
  bytes: z.int().optional().describe('The length of the document as JSON.'),
  credits: z.number().optional(),
  code: z.string().optional().describe('The code of the reason why there is no document.'),
  error: z.string().optional().describe('The reason as a sentence.'),
  retryable: z.boolean().optional().describe('For a failed page: whether a retry may succeed.'),
})

export const jobRoutes: readonly Route[] = [
  route({
    ...common,
    path: '/v2/jobs/{id}',
    summary: 'Returns the status of a job of any kind, and its request with every default.',
    query: z.object({
      request: z.enum(['true', 'false']).optional().describe('With `false` only the status is returned.'),
    }),
    words: { ...words, badQuery: 'Invalid query' },
    fails: ['not_found', 'invalid_request'],
    output: () =>
      z.object({
        success: z.literal(true),
        job: jobSchema,
        request: z
          .looseObject({})
          .optional()
          .describe('The request with all defaults. Sending it again starts an equal job.'),
      }),
    run: async ({ engine, params, caller, query }) => {
      const job = await engine.jobs.find(params['id'] ?? '', caller)
      const { request: _, ...status } = await job.status()
      if (query.request === 'false') return { success: true as const, job: toListedJob(status) }
      const request = (await job.request()) as Readonly<Record<string, unknown>>
      return { success: true as const, job: toListedJob(status), request: { ...request } }
    },
  }),
  route({
    ...common,
    path: '/v2/jobs/{id}/rows',
    summary: 'Lists the outcome of each URL of a job, one row each without its document, in order of completion.',
    query: z.object({
      cursor: z.string().max(100).optional().describe('The `cursor` of the previous rows. Returns only later ones.'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(5_000)
        .optional()
        .describe(`Approximate number of rows. Default: ${defaultRows}.`),
    }),
    words: { ...words, badQuery: 'Invalid query' },
    fails: ['not_found', 'invalid_request'],
    output: () =>
      z.object({
        success: z.literal(true),
        job: jobSchema,
        rows: z.array(row),
        cursor: z.string().optional().describe('The cursor of the next rows.'),
        hasMore: z.boolean().describe('Whether there are more rows now.'),
      }),
    run: async ({ engine, params, caller, query: { cursor, limit = defaultRows } }) => {
      const job = await engine.jobs.find(params['id'] ?? '', caller)
      const { status, rows, ...rest } = await job.rows({ after: cursor, limit })
      const { request: _, ...state } = status
      return { success: true as const, job: toListedJob(state), rows: rows.map(shown), ...rest }
    },
  }),
]

function shown({ code, error, ...row }: JobRow) {
  if (code === undefined) return row
  const retryable = row.outcome === 'failed' ? { retryable: errorCodes[code].retryable } : {}
  return { ...row, ...shownError({ code, error: error ?? '' }), ...retryable }
}
