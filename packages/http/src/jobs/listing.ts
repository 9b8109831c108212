// Lists the jobs of a team. Only in version 2; the public API has no such endpoint.
import type { JobStatus } from '@harvestman/core'
import { z } from 'zod'

import { outcomes } from '../versions/outcomes.ts'
import { route, type Route } from '../route/route.ts'

const iso = z.iso.datetime()
const statuses = ['scraping', 'completed', 'failed', 'cancelled'] as const

export const jobSchema = z.object({
  id: z.uuid(),
  kind: z.string().describe('The kind of the job. The endpoints of this kind return its status and results.'),
  status: z.enum(statuses),
  outcome: z.enum(outcomes).describe('The status with one more value, for a completed job with failed pages.'),
  about: z.string().optional().describe('The URL or the query of the job.'),
  total: z.int().describe('Number of started pages, including failed ones.'),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  creditsUsed: z.number(),
  createdAt: iso,
  completedAt: iso.optional(),
  expiresAt: iso,
  error: z.string().optional().describe('The reason for a failure, or a warning.'),
})

/** Returns the status of a job of any kind, as lists show it: its `message`, if any, is named `error`. */
export function toListedJob<Job extends Omit<JobStatus, 'request'>>({ message, kind, ...job }: Job) {
  return {
    ...job,
    kind,
    ...(message !== undefined && { error: message }),
  }
}

export const jobListRoute: Route = route({
  method: 'GET',
  path: '/v2/jobs',
  group: 'team',
  summary: 'Lists the stored jobs of the team, of every kind that the key may read, newest first.',
  query: z.object({
    kind: z.string().max(100).optional().describe('`crawl`, `batch`, or the name of a kind of job.'),
    status: z.enum(statuses).optional(),
    limit: z.coerce.number().int().min(1).max(100).optional().describe('1 to 100. Default: 50.'),
    cursor: z.string().max(100).optional().describe('The `cursor` of the previous page.'),
  }),
  fails: ['invalid_request'],
  output: () =>
    z.object({
      success: z.literal(true),
      jobs: z.array(jobSchema).describe('With a filter there may be fewer than asked for, though more are to come.'),
      cursor: z.string().optional().describe('The cursor of the next page. Absent at the end.'),
    }),
  run: async ({ engine, caller, query }) => {
    const { jobs, cursor } = await engine.jobs.list(query, caller)
    return {
      success: true as const,
      jobs: jobs.map(toListedJob),
      ...(cursor !== undefined && { cursor }),
    }
  },
})
