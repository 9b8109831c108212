// Client of an engine in this process. For a command that loads one page, calling the engine's HTTP handler instead would take
// 7 to 9 % more CPU time.
import type { AnyJob, JobEvent, ListedJob } from '@harvestman/client'
import type { AnyDocument, Engine, Job, JobEvent as EngineEvent, ListedJob as EngineJob } from '@harvestman/core'
import { callersOf, type ServedFeature } from '@harvestman/core/plugin'

import type { CommandClient, CommandJob } from './client.ts'

type LocalEngine = Pick<Engine, 'unchecked' | 'jobs' | 'changes' | 'features' | 'team' | 'capabilities'>

/** Creates the client of an engine. Errors are the engine's, not HTTP errors. */
export function localClient({ unchecked, jobs, changes, features, team, capabilities }: LocalEngine): CommandClient {
  return {
    ...Object.fromEntries(
      Object.entries<ServedFeature>(features).map(([name, { definition, invoke }]) => [
        name,
        callersOf(definition.endpoints, invoke),
      ]),
    ),
    scrape: (request, options) => unchecked.scrape(request, options),
    parse: (file, request, options) => unchecked.parse(file, request, options),
    parseFormats: async () =>
      capabilities().files.map(({ format, kind = 'document', extensions, mimeTypes }) => ({
        ...{ format, kind, mimeTypes, available: true },
        extensions: extensions.map((extension) => `.${extension}`),
      })),
    map: (request, options) => unchecked.map(request, options),
    search: (request, options) => unchecked.search(request, options),
    crawl: async (request) => startedJob(await unchecked.crawl(request)),
    batch: async (request) => {
      const job = await unchecked.batch(request)
      return { ...startedJob(job), ...(job.invalidURLs && { invalidURLs: job.invalidURLs }) }
    },
    start: async (kind, request) => {
      const { id, status, cancel } = await unchecked.start(nameOf(kind), request)
      return { id, status: () => status(), cancel: () => cancel() }
    },
    find: (kind, id) => {
      const find = once(() => unchecked.find(nameOf(kind), id))
      return { id, status: async () => (await find()).status(), cancel: async () => (await find()).cancel() }
    },
    jobs: (query) => listJobs(jobs, query),
    findJob: async (id) => {
      const { request, ...status } = await (await jobs.find(id)).status()
      // Cast: requests are objects.
      return { job: listed(status), request: request as AnyJob['request'] }
    },
    jobStatus: async (id) => {
      const { request: _, ...status } = await (await jobs.find(id)).status()
      return listed(status)
    },
    findBatch: (id) =>
      jobOf(
        id,
        once(() => jobs.find(id)),
      ),
    findCrawl: (id) => ({
      ...jobOf(
        id,
        once(() => jobs.find(id)),
      ),
      async *explain(options) {
        yield* (await jobs.findCrawl(id)).explain(options)
      },
    }),
    changes: { history: (page) => changes.history(page), diff: (versions) => changes.diff(versions) },
    // Cast: properties of JSON are never `undefined`.
    team: team as CommandClient['team'],
  }
}

function nameOf(kind: string | { readonly kind: string }): string {
  return typeof kind === 'string' ? kind : kind.kind
}

/** Memoizes a function without arguments. */
function once<Result>(work: () => Result): () => Result {
  let done: { readonly result: Result } | undefined
  return () => (done ??= { result: work() }).result
}

function startedJob(job: Job): CommandJob {
  return jobOf(job.id, async () => job)
}

function jobOf(id: string, find: () => Promise<Job>): CommandJob {
  return {
    id,
    async *events({ signal, after } = {}) {
      const options = { ...(signal && { signal }), ...(after !== undefined && { after }) }
      for await (const event of (await find()).events(options)) yield eventOf(event)
    },
    errors: async () => (await find()).errors(),
    cancel: async () => (await find()).cancel(),
  }
}

function eventOf(event: EngineEvent): JobEvent<AnyDocument> {
  return event.type === 'failed page' ? { ...event, type: 'failed_page' } : event
}

async function* listJobs({ list }: LocalEngine['jobs'], query: object = {}): AsyncGenerator<ListedJob, void, void> {
  let cursor: string | undefined
  do {
    const page = await list({ ...query, limit: 100, cursor })
    yield* page.jobs.map(listed)
    cursor = page.cursor
  } while (cursor !== undefined)
}

function listed({ message, ...job }: EngineJob): ListedJob {
  return { ...job, ...(message !== undefined && { error: message }) }
}
