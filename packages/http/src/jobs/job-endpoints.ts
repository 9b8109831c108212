// Endpoint shapes of jobs whose results are pages. This is the only module that distinguishes their kinds.
import type { ErrorCode, JobStatus } from '@harvestman/core'
import type { z } from 'zod'

import { route, type Route, type RouteCall } from '../route/route.ts'
import type { ApiVersion } from '../versions/api-version.ts'
import { idempotencyKey } from '../request/idempotency.ts'
import { explainRow } from './explain.ts'
import type { Common, JobGroup } from './group.ts'
import { bounds } from '../request/bounds.ts'
import { maxBatchUrls } from '@harvestman/core/schema'
import { activeBatchesSchema, activeSchema, type startedSchema } from './schema.ts'

/** Fields of the response to a start, in addition to the id. */
type StartFields = Omit<z.output<ReturnType<typeof startedSchema>>, 'success' | 'id' | 'url'>

/** Endpoints and messages of one kind of job. */
export interface JobEndpoint {
  readonly group: JobGroup
  /** Endpoint name of its requests in the activity of a team. */
  readonly kind: string
  /** Path that starts a job, without the version. */
  readonly path: string
  readonly summary: string
  readonly example: object
  readonly fails: readonly ErrorCode[]
  /** Maximum number of list and object entries in a start request. Default: the general limit. */
  readonly maxEntries?: number
  /** Starts a job. Returns its id and additional response fields. */
  begin(request: unknown, call: RouteCall<unknown>): Promise<{ readonly id: string; readonly fields: StartFields }>
  /** Additional routes that are not about a single job. */
  rows?(api: ApiVersion): Route[]
  /** Additional routes about a single job. */
  rowsOfOne?(path: `/${string}`, common: Common): Route[]
}

export const jobEndpoints: readonly JobEndpoint[] = [
  {
    group: 'crawl',
    kind: 'crawl',
    path: 'crawl',
    summary: 'Starts a crawl of a site. Get its results by its id.',
    example: { url: 'https://example.com', limit: 50, scrapeOptions: { formats: ['markdown'] } },
    fails: ['not_configured', 'url_blocked', 'conflict'],
    begin: async (request, call) => {
      const { id, plan } = await call.engine.unchecked.crawl(request, jobCall(call))
      return { id, fields: plannedBy(plan, call.input) }
    },
    rows: activeRows,
    rowsOfOne: (path, common) => [explainRow(path, common)],
  },
  {
    group: 'batch',
    kind: 'batch_scrape',
    path: 'batch/scrape',
    summary: 'Starts a batch: many pages with the same options. Get its results by its id.',
    example: { urls: ['https://example.com/', 'https://example.com/about'], formats: ['markdown'] },
    // The URLs of the largest batch, plus the entries of any other body.
    maxEntries: maxBatchUrls + bounds.entries,
    fails: ['not_configured', 'url_blocked', 'not_found', 'conflict'],
    begin: async (request, call) => {
      const { id, invalidURLs } = await call.engine.unchecked.batch(request, jobCall(call))
      return { id, fields: invalidURLs ? { invalidURLs: [...invalidURLs] } : {} }
    },
    rows: activeBatchRows,
  },
]

/** Returns the options that were generated from the prompt of a crawl. */
function plannedBy(plan: Awaited<ReturnType<RouteCall['engine']['unchecked']['crawl']>>['plan'], input: unknown) {
  if (!plan) return {}
  const { scrapeOptions: _, webhook: __, prompt: ___, ...given } = input as Readonly<Record<string, unknown>>
  const { options, warning } = plan
  return {
    promptGeneratedOptions: { ...options },
    finalCrawlerOptions: { ...options, ...given },
    ...(warning !== undefined && { warning }),
  }
}

function jobCall({ caller, filesAt, headers }: RouteCall) {
  return { ...caller, filesAt, idempotencyKey: idempotencyKey(headers) }
}

async function runningJobs(kind: string, { engine, caller }: RouteCall): Promise<readonly JobStatus[]> {
  const running = await engine.jobs.running(caller)
  return running.filter((job) => job.kind === kind && job.status === 'scraping')
}

function activeRows(api: ApiVersion): Route[] {
  const run = async (call: RouteCall) => {
    const crawls = await runningJobs('crawl', call)
    return { success: true as const, crawls: crawls.map((status) => describeCrawl(status, call.team, api)) }
  }
  return ['active', 'ongoing'].map((word) =>
    route({
      method: 'GET',
      path: `/${api.version}/crawl/${word}`,
      group: 'crawl',
      rate: 'status',
      summary: 'Lists the running crawls.',
      output: () => activeSchema,
      run,
    }),
  )
}

function describeCrawl({ id, request, createdAt }: JobStatus, team: string, api: ApiVersion) {
  const { url, webhook: _, ...options } = request as Readonly<Record<string, unknown>>
  return { id, teamId: team, url: String(url), created_at: createdAt, options: { ...api.options(options) } }
}

function activeBatchRows({ version }: ApiVersion): Route[] {
  if (version === 'v1') return []
  const listed = route({
    method: 'GET',
    path: '/v2/batch/scrape/active',
    group: 'batch',
    rate: 'status',
    summary: 'Lists the running batches.',
    output: () => activeBatchesSchema,
    run: async (call) => {
      const batches = await runningJobs('batch', call)
      return { success: true as const, batches: batches.map((status) => describeBatch(status, call.team)) }
    },
  })
  return [listed]
}

/** Describes a batch without its URLs, of which there may be very many. */
function describeBatch({ id, request, createdAt }: JobStatus, team: string) {
  const { urls: _, webhook: __, ...options } = request as Readonly<Record<string, unknown>>
  return { id, teamId: team, created_at: createdAt, options }
}
