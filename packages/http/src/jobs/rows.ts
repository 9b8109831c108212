import type { JobStatus } from '@harvestman/core'

import { loadFailures, route, type Route, type RouteCall } from '../route/route.ts'
import type { Voice } from '../voice/voice.ts'
import { idempotencyHeaders, idempotencyKey } from '../request/idempotency.ts'
import { words } from './group.ts'
import { oneJobRows } from './one-job.ts'
import { activeSchema, mapSchema, startedSchema } from './schema.ts'

/** The rows about many pages, in the words of one version. */
export function jobRows(voice: Voice): readonly Route[] {
  return [
    mapRow(voice),
    ...startRows(voice),
    ...activeRows(voice),
    ...oneJobRows('crawl', voice),
    ...oneJobRows('batch', voice),
  ]
}

function mapRow(voice: Voice): Route {
  return route({
    method: 'POST',
    path: `/${voice.version}/map`,
    group: 'map',
    summary: 'Lists the addresses of a site.',
    ...asked(voice.map),
    example: { url: 'https://example.com', limit: 100 },
    fails: loadFailures,
    output: () => mapSchema(voice),
    run: async ({ engine, input, asker, signal }) => {
      const { id, links, warning } = await engine.unchecked.map(voice.map.toCore(input), { ...asker, signal })
      const given = links.map(voice.link)
      return { success: true as const, id, links: given, ...(warning !== undefined && { warning }) }
    },
  })
}

function startRows(voice: Voice): Route[] {
  const { version } = voice
  const starts = { reads: idempotencyHeaders, output: startedSchema, words }
  return [
    route({
      method: 'POST',
      path: `/${version}/crawl`,
      group: 'crawl',
      summary: 'Starts a crawl: a site, page by page. Its results are read by its id.',
      ...asked(voice.crawl),
      example: { url: 'https://example.com', limit: 50, scrapeOptions: { formats: ['markdown'] } },
      ...starts,
      fails: ['not_configured', 'url_blocked', 'conflict'],
      run: async (call) => {
        const { id, plan } = await call.engine.unchecked.crawl(voice.crawl.toCore(call.input), jobCall(call))
        return {
          success: true as const,
          id,
          url: `${call.at}/${version}/crawl/${id}`,
          ...plannedBy(plan, call.input),
        }
      },
    }),
    route({
      method: 'POST',
      path: `/${version}/batch/scrape`,
      group: 'batch',
      summary: 'Starts a batch: many pages with the same options. Its results are read by its id.',
      ...asked(voice.batch),
      example: { urls: ['https://example.com/', 'https://example.com/about'], formats: ['markdown'] },
      ...starts,
      fails: ['not_configured', 'url_blocked', 'not_found', 'conflict'],
      run: async (call) => {
        const { id, invalidURLs } = await call.engine.unchecked.batch(voice.batch.toCore(call.input), jobCall(call))
        const url = `${call.at}/${version}/batch/scrape/${id}`
        return { success: true as const, id, url, ...(invalidURLs && { invalidURLs: [...invalidURLs] }) }
      },
    }),
  ]
}

/** What a crawl with a prompt was made of. */
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

function asked({ input, engineChecks = false }: Voice['crawl']) {
  return { input, engineChecks }
}

function jobCall({ asker, filesAt, headers }: RouteCall) {
  return { ...asker, filesAt, idempotencyKey: idempotencyKey(headers) }
}

function activeRows(voice: Voice): Route[] {
  const run = async ({ engine, team }: RouteCall) => {
    const running = await engine.jobs.running({ team })
    const crawls = running.filter(({ kind, status }) => kind === 'crawl' && status === 'scraping')
    return { success: true as const, crawls: crawls.map((status) => describeCrawl(status, team, voice)) }
  }
  return ['active', 'ongoing'].map((word) =>
    route({
      method: 'GET',
      path: `/${voice.version}/crawl/${word}`,
      group: 'crawl',
      rate: 'status',
      summary: 'Lists the crawls that run.',
      output: () => activeSchema,
      run,
    }),
  )
}

function describeCrawl({ id, request, createdAt }: JobStatus, team: string, voice: Voice) {
  const { url, webhook: _, ...options } = request as Readonly<Record<string, unknown>>
  return { id, teamId: team, url: String(url), created_at: createdAt, options: { ...voice.options(options) } }
}
