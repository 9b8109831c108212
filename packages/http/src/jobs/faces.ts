// Rows of the public API for each kind of job whose answer is its pages: one here, and nothing else knows them apart.
import type { ErrorCode, JobStatus } from '@harvestman/core'
import type { z } from 'zod'

import { route, type Route, type RouteCall } from '../route/route.ts'
import type { Voice } from '../voice/voice.ts'
import { idempotencyKey } from '../request/idempotency.ts'
import { explainRow } from './explain.ts'
import type { Common, JobGroup } from './group.ts'
import { bounds } from '../request/scan.ts'
import { mostUrls } from '@harvestman/core/schema'
import { activeSchema, type startedSchema } from './schema.ts'

/** Fields of the answer to a start, beside the id. */
type Said = Omit<z.output<ReturnType<typeof startedSchema>>, 'success' | 'id' | 'url'>

/** Endpoints of the jobs of a kind, and their words. */
export interface Face {
  readonly group: JobGroup
  /** Name of its requests in the activity of a team. */
  readonly kind: string
  /** Path to start a job with, behind the version. */
  readonly path: string
  readonly summary: string
  readonly example: object
  readonly fails: readonly ErrorCode[]
  /** Entries of lists and objects in a body that starts a job, where the default limit is too low. */
  readonly maxEntries?: number
  /** Begins a job. Gives its id, and what is said beside it. */
  begin(request: unknown, call: RouteCall<unknown>): Promise<{ readonly id: string; readonly said: Said }>
  /** Rows of its own, about no one job. */
  rows?(voice: Voice): Route[]
  /** Rows of its own about one job. */
  rowsOfOne?(path: `/${string}`, common: Common): Route[]
}

export const faces: readonly Face[] = [
  {
    group: 'crawl',
    kind: 'crawl',
    path: 'crawl',
    summary: 'Starts a crawl of a site. Read its results by its id.',
    example: { url: 'https://example.com', limit: 50, scrapeOptions: { formats: ['markdown'] } },
    fails: ['not_configured', 'url_blocked', 'conflict'],
    begin: async (request, call) => {
      const { id, plan } = await call.engine.unchecked.crawl(request, jobCall(call))
      return { id, said: plannedBy(plan, call.input) }
    },
    rows: activeRows,
    rowsOfOne: (path, common) => [explainRow(path, common)],
  },
  {
    group: 'batch',
    kind: 'batch_scrape',
    path: 'batch/scrape',
    summary: 'Starts a batch: many pages with the same options. Read its results by its id.',
    example: { urls: ['https://example.com/', 'https://example.com/about'], formats: ['markdown'] },
    // The URLs of the largest batch, and as much beside them as in any other body.
    maxEntries: mostUrls + bounds.entries,
    fails: ['not_configured', 'url_blocked', 'not_found', 'conflict'],
    begin: async (request, call) => {
      const { id, invalidURLs } = await call.engine.unchecked.batch(request, jobCall(call))
      return { id, said: invalidURLs ? { invalidURLs: [...invalidURLs] } : {} }
    },
  },
]

/** Options that the prompt of a crawl was turned into. */
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

function jobCall({ asker, filesAt, headers }: RouteCall) {
  return { ...asker, filesAt, idempotencyKey: idempotencyKey(headers) }
}

function activeRows(voice: Voice): Route[] {
  const run = async ({ engine, team, asker }: RouteCall) => {
    const running = await engine.jobs.running(asker)
    const crawls = running.filter(({ kind, status }) => kind === 'crawl' && status === 'scraping')
    return { success: true as const, crawls: crawls.map((status) => describeCrawl(status, team, voice)) }
  }
  return ['active', 'ongoing'].map((word) =>
    route({
      method: 'GET',
      path: `/${voice.version}/crawl/${word}`,
      group: 'crawl',
      rate: 'status',
      summary: 'Lists the running crawls.',
      output: () => activeSchema,
      run,
    }),
  )
}

function describeCrawl({ id, request, createdAt }: JobStatus, team: string, voice: Voice) {
  const { url, webhook: _, ...options } = request as Readonly<Record<string, unknown>>
  return { id, teamId: team, url: String(url), created_at: createdAt, options: { ...voice.options(options) } }
}
