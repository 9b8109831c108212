// Routes about one job of any kind. Only in version 2; not part of the public API.
import { errorCodes, type JobRow } from '@harvestman/core'
import { z } from 'zod'

import { shownError } from '../refusals/errors.ts'
import { route, type Route } from '../route/route.ts'
import { words } from './group.ts'
import { jobSchema, listed } from './listing.ts'

const common = { method: 'GET', group: 'team', rate: 'status', words, fails: ['not_found'] } as const
const defaultRows = 1_000

const row = z.object({
  outcome: z
    .enum(['visited', 'failed', 'left'])
    .describe('Visited pages have a document; what was left out is not counted as a page.'),
  at: z.iso.datetime(),
  url: z.string(),
  id: z.string().optional().describe('The id of the scrape.'),
  status: z.int().optional().describe('What the page answered.'),
  title: z.string().optional().describe('At most 200 letters of it.'),
  bytes: z.int().optional().describe('The length of the document as JSON.'),
  credits: z.number().optional(),
  code: z.string().optional().describe('Why there is no document, for programs.'),
  error: z.string().optional().describe('The same, for people.'),
  retryable: z.boolean().optional().describe('Of a page that failed: whether another try may work.'),
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
        request: z.looseObject({}).optional().describe('Sent again where the job was started, it starts the same job.'),
      }),
    run: async ({ engine, params, asker, query }) => {
      const job = await engine.jobs.find(params['id'] ?? '', asker)
      const { request: _, ...status } = await job.status()
      if (query.request === 'false') return { success: true as const, job: listed(status) }
      const request = (await job.request()) as Readonly<Record<string, unknown>>
      return { success: true as const, job: listed(status), request: { ...request } }
    },
  }),
  route({
    ...common,
    path: '/v2/jobs/{id}/rows',
    summary: 'Lists the outcome of each URL of a job, one row each without its document, in order of completion.',
    query: z.object({
      cursor: z.string().max(100).optional().describe('Where the rows before ended: gives what came since.'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(5_000)
        .optional()
        .describe(`About so many rows; ${defaultRows} when absent.`),
    }),
    words: { ...words, badQuery: 'Invalid query' },
    fails: ['not_found', 'invalid_request'],
    output: () =>
      z.object({
        success: z.literal(true),
        job: jobSchema,
        rows: z.array(row),
        cursor: z.string().optional().describe('Where to read on, now or later.'),
        hasMore: z.boolean().describe('Whether there are more already.'),
      }),
    run: async ({ engine, params, asker, query: { cursor, limit = defaultRows } }) => {
      const job = await engine.jobs.find(params['id'] ?? '', asker)
      const { status, rows, ...rest } = await job.rows({ after: cursor, limit })
      const { request: _, ...state } = status
      return { success: true as const, job: listed(state), rows: rows.map(shown), ...rest }
    },
  }),
]

function shown({ code, error, ...row }: JobRow) {
  if (code === undefined) return row
  const retryable = row.outcome === 'failed' ? { retryable: errorCodes[code].retryable } : {}
  return { ...row, ...shownError({ code, error: error ?? '' }), ...retryable }
}
