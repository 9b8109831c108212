import { EngineError, type JobStatus } from '@harvestman/core'
import { z } from 'zod'

import { shownError } from '../errors.ts'
import { route, type Route, type RouteCall } from '../route.ts'
import { eventsAnswer, streamEvents } from './events.ts'
import { explainRow } from './explain.ts'
import { idempotencyHeaders, idempotencyKey } from './idempotency.ts'
import { activeSchema, errorsSchema, mapSchema, startedSchema, statusSchema } from './schema.ts'
import { showStatus, statusAnswer } from './status.ts'
import type { Voice } from './voice.ts'
import { watchJob } from './watch.ts'
import { webhookRows } from './webhook.ts'

const words = {
  badId: 'Invalid job ID format. Job ID must be a valid UUID.',
  notFound: 'Job not found',
  badQuery: 'Invalid pagination',
}

/** The rows about many pages, in the words of one version. */
export function jobRows(voice: Voice): readonly Route[] {
  return [
    ...startRows(voice),
    ...activeRows(voice),
    ...['crawl', 'batch/scrape'].flatMap((kind) => oneJob(kind, voice)),
  ]
}

function startRows(voice: Voice): Route[] {
  const { version } = voice
  const starts = { reads: idempotencyHeaders, output: startedSchema, words }
  return [
    route({
      method: 'POST',
      path: `/${version}/map`,
      summary: 'Lists the addresses of a site.',
      ...asked(voice.map),
      output: () => mapSchema(voice),
      run: async ({ engine, input, team, signal }) => {
        const { id, links, warning } = await engine.map(voice.map.toCore(input), { team, signal })
        const given = links.map(voice.link)
        return { success: true as const, id, links: given, ...(warning !== undefined && { warning }) }
      },
    }),
    route({
      method: 'POST',
      path: `/${version}/crawl`,
      summary: 'Starts a crawl: a site, page by page. Its results are read by its id.',
      ...asked(voice.crawl),
      ...starts,
      run: async (call) => {
        const { id } = await call.engine.crawl(voice.crawl.toCore(call.input), jobCall(call))
        return { success: true as const, id, url: `${call.at}/${version}/crawl/${id}` }
      },
    }),
    route({
      method: 'POST',
      path: `/${version}/batch/scrape`,
      summary: 'Starts a batch: many pages with the same options. Its results are read by its id.',
      ...asked(voice.batch),
      ...starts,
      run: async (call) => {
        const { id, invalidURLs } = await call.engine.batch(voice.batch.toCore(call.input), jobCall(call))
        const url = `${call.at}/${version}/batch/scrape/${id}`
        return { success: true as const, id, url, ...(invalidURLs && { invalidURLs: [...invalidURLs] }) }
      },
    }),
  ]
}

function asked({ input, engineChecks = false }: Voice['crawl']) {
  return { input: input, engineChecks }
}

function jobCall({ team, filesAt, headers }: RouteCall) {
  return { team, filesAt, idempotencyKey: idempotencyKey(headers) }
}

function activeRows(voice: Voice): Route[] {
  const run = async ({ engine, team }: RouteCall) => {
    const running = await engine.jobs({ team })
    const crawls = running.filter(({ kind, status }) => kind === 'crawl' && status === 'scraping')
    return { success: true as const, crawls: crawls.map((status) => describeCrawl(status, team, voice)) }
  }
  return ['active', 'ongoing'].map((word) =>
    route({
      method: 'GET',
      path: `/${voice.version}/crawl/${word}`,
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

function oneJob(kind: string, voice: Voice): Route[] {
  const path = `/${voice.version}/${kind}` as const
  const name = kind === 'crawl' ? 'crawl' : 'batch'
  const errors = {
    path: `${path}/{id}/errors` as const,
    output: () => errorsSchema,
    words,
    run: showErrors,
  }
  return [
    route({
      method: 'GET',
      path: `${path}/{id}`,
      summary: `Gives the state of a ${name} and a part of its documents. As a WebSocket it tells them as they come.`,
      query: voice.pagination,
      words,
      output: (schemas) => statusSchema(schemas, voice),
      run: (call) => showStatus(call, path, voice) as never,
      answer: statusAnswer,
      watch: (call) => watchJob(call, voice),
    }),
    route({
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Ends a ${name}. What it has stays.`,
      words,
      output: () => z.object({ success: z.literal(true), status: z.literal('cancelled') }),
      run: cancel,
    }),
    route({ method: 'GET', summary: `Lists the pages of a ${name} that failed.`, ...errors }),
    // The official client of version 1 asks for them this way, and means no harm.
    ...(voice.version === 'v1'
      ? [route({ method: 'DELETE', summary: 'The same as GET: it ends nothing.', ...errors })]
      : []),
    ...(voice.version === 'v2' ? [eventsRow(path, name, voice), ...webhookRows(path, name, words)] : []),
    ...(voice.version === 'v2' && kind === 'crawl' ? [explainRow(path, words)] : []),
  ]
}

function eventsRow(path: `/${string}`, name: string, voice: Voice): Route {
  return route({
    method: 'GET',
    path: `${path}/{id}/events`,
    summary: `Tells what happens to a ${name}, as server-sent events.`,
    reads: { 'last-event-id': 'The event after which to begin.' },
    words,
    output: () => z.string(),
    gives: 'text/event-stream',
    run: (call) => streamEvents(call, voice) as never,
    answer: eventsAnswer as never,
  })
}

async function cancel({ engine, ids, team }: RouteCall) {
  const job = await engine.findJob(ids['id'] ?? '', { team })
  if (await job.cancel()) return { success: true as const, status: 'cancelled' as const }
  const { status } = await job.status()
  throw new EngineError('conflict', `Crawl is already ${status}`)
}

async function showErrors({ engine, ids, team }: RouteCall) {
  const { errors, robotsBlocked } = await (await engine.findJob(ids['id'] ?? '', { team })).errors()
  return { errors: errors.map((error) => ({ ...error, ...shownError(error) })), robotsBlocked: [...robotsBlocked] }
}
