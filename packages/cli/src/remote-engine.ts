// A server as commands use it: the same calls that an engine in this process takes.
import {
  createClient,
  HarvestmanError,
  type AnswerJob,
  type AnyJob,
  type HarvestmanClient,
  type Job as RemoteJob,
  type JobEvent as RemoteEvent,
  type PricePreview,
} from '@harvestman/client'
import type { JobEvent, JobListPage, JobQuery, JobStatus, ListedJob } from '@harvestman/core'
import type { EndpointFile } from '@harvestman/core/plugin'
import { EngineError, type ErrorCode } from '@harvestman/ports'

import type { CommandAnswer, CommandEngine, CommandFeature, CommandJob } from './command-engine.ts'
import type { Server } from './servers.ts'

/** Makes the calls of commands requests to a server. */
export function remoteEngine({ url, key }: Server): CommandEngine {
  const client = createClient({ url, key })
  const ask = askOf(url)
  const list = pagesOfJobs(client)
  return {
    unchecked: {
      scrape: (request, call) => ask(client.scrape(inJson(request), call)),
      parse: (bytes, request, call) => ask(client.parse(bytes, inJson(request), call)),
      map: (request, call) => ask(client.map(inJson(request), call)),
      search: (request, call) => ask(client.search(inJson(request), call)),
      crawl: async (request) => jobAt(await ask(client.crawl(inJson(request))), 'crawl', client, url),
      batch: async (request) => {
        const job = await ask<RemoteJob<unknown>>(client.batch(inJson(request)))
        const { invalidURLs } = job
        return { ...jobAt(job, 'batch', client, url), ...(invalidURLs && { invalidURLs }) }
      },
      start: async (kind, request) => answerAt(await ask(client.start(kind, inJson(request))), client, ask),
      find: async (kind, id) => answerAt(client.find(kind, id), client, ask),
    },
    jobs: {
      find: async (id) => {
        const { job } = await ask<AnyJob>(client.findJob(id))
        return jobAt(job.kind === 'batch' ? client.findBatch(id) : client.findCrawl(id), job.kind, client, url)
      },
      findCrawl: async (id) => ({ explain: (options) => told(client.findCrawl(id).explain(options), url) }),
      list: ({ limit = 50, cursor, ...query }) => ask(list(query, limit, cursor)),
    },
    changes: {
      history: (page) => ask(client.changes.history(page)),
      diff: (page) => ask(client.changes.diff(page)),
    },
    features: featuresAt(client, ask),
    preview: async (kind, request) => {
      const { reasons, ...price } = await ask<PricePreview>(client.team.preview(kind, request))
      return { ...bounds(price), reasons: reasons.map(({ what, ...part }) => ({ what, ...bounds(part) })) }
    },
  }
}

/** A request that the server checks, or an answer of it: both have the shapes of core. */
function inJson(value: unknown): never {
  // Cast: the server reads requests by the same schemas, and prints the values of core.
  return value as never
}

/** Waits for an answer; a refusal becomes an error of commands. */
type Ask = <Result>(work: Promise<unknown>) => Promise<Result>

function askOf(url: string): Ask {
  return <Result>(work: Promise<unknown>) =>
    work.then(
      (value): Result => inJson(value),
      (error: unknown) => Promise.reject(asEngineError(error, url)),
    )
}

type Methods = Readonly<Record<string, Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>>>

/** The features of the server. The client looks up unknown features. */
function featuresAt(client: HarvestmanClient, ask: Ask): CommandEngine['features'] {
  const methods: Methods = inJson(client)
  const featureAt = (name: string): CommandFeature => ({
    invoke: async (endpoint, { params = {}, input }) => {
      const given = [...Object.values(params), ...(input === undefined ? [] : [input])]
      const result = await ask(methods[name]?.[endpoint]?.(...given) ?? Promise.resolve())
      return result instanceof Response ? fileOf(result) : result
    },
  })
  return new Proxy<Record<string, CommandFeature>>({}, { get: (_, name) => featureAt(String(name)) })
}

function fileOf({ headers, body }: Response): EndpointFile {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
  return { mediaType: headers.get('content-type') ?? '', name, bytes: body ?? new Uint8Array() }
}

/** A crawl or a batch of the server. */
function jobAt(job: RemoteJob<unknown>, kind: string, client: HarvestmanClient, url: string): CommandJob {
  const ask = askOf(url)
  const status = async (): Promise<JobStatus> => {
    const { job: known, request } = await ask<AnyJob>(client.findJob(job.id))
    return { ...listed(known), request: inJson(request) }
  }
  async function* events(options: { readonly signal?: AbortSignal } = {}): AsyncGenerator<JobEvent, void, void> {
    for await (const { type, ...event } of told<RemoteEvent<unknown>>(job.events(options), url)) {
      if (type === 'failed_page') yield inJson({ ...event, type: 'failed page' })
      else if (type === 'page' || type === 'started') yield inJson({ ...event, type })
      else yield inJson({ ...event, type, status: await status() })
    }
  }
  return { id: job.id, kind, status, events, errors: () => ask(job.errors()), cancel: () => ask(job.cancel()) }
}

/** A job with one answer, with what was asked for: what is printed may depend on it. */
function answerAt(job: AnswerJob, client: HarvestmanClient, ask: Ask): CommandAnswer {
  let asked: Promise<AnyJob> | undefined
  return {
    id: job.id,
    status: async () => {
      asked ??= ask(client.findJob(job.id))
      return inJson({ ...(await ask<object>(job.status())), request: (await asked).request })
    },
  }
}

/** The jobs of the server, page by page: the client gives them one by one, so the pages of one listing share a generator. */
function pagesOfJobs(client: HarvestmanClient) {
  let listing: AsyncGenerator<Parameters<typeof listed>[0], void, void> | undefined
  return async (query: Pick<JobQuery, 'kind' | 'status'>, limit: number, cursor?: string): Promise<JobListPage> => {
    if (cursor === undefined) listing = client.jobs(definedIn(query))
    const jobs: ListedJob[] = []
    while (jobs.length < limit) {
      const next = await listing?.next()
      if (!next || next.done) return { jobs }
      jobs.push(listed(next.value))
    }
    return { jobs, cursor: 'more' }
  }
}

function definedIn({ kind, status }: Pick<JobQuery, 'kind' | 'status'>) {
  return { ...(kind !== undefined && { kind }), ...(status !== undefined && { status }) }
}

function listed({ error, ...job }: Awaited<ReturnType<HarvestmanClient['findJob']>>['job']): ListedJob {
  return { ...job, ...(error !== undefined && { message: error }) }
}

async function* told<Item>(items: AsyncIterable<unknown>, url: string): AsyncGenerator<Item, void, void> {
  try {
    for await (const item of items) yield inJson(item)
  } catch (error) {
    throw asEngineError(error, url)
  }
}

/** JSON has no infinity: null stands for no bound. */
function bounds({ min, expected, max }: Omit<PricePreview, 'reasons'>) {
  return { min, ...(expected !== undefined && { expected }), ...(max !== null && { max }) }
}

const byCode: Readonly<Record<string, ErrorCode>> = {
  NETWORK: 'connection_failed',
  BAD_ANSWER: 'bad_response',
  TIMEOUT: 'timeout',
  NOT_CONFIGURED: 'not_configured',
  URL_BLOCKED: 'url_blocked',
  SCRAPE_UNSUPPORTED_FILE_ERROR: 'unsupported_file',
  SCRAPE_PAGE_TOO_COMPLEX: 'page_too_complex',
  SCRAPE_FORMAT_ERROR: 'format_failed',
}

const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'invalid_request',
  429: 'rate_limited',
}

/** A refusal of the server as an error of commands, so that exit codes mean the same. */
export function asEngineError(error: unknown, server: string): unknown {
  if (!(error instanceof HarvestmanError)) return error
  const { code, status = 0, message, details } = error
  const own = byCode[code] ?? byStatus[status] ?? 'loaders_failed'
  const problems = Array.isArray(details) ? details.flatMap(sentenceOf) : []
  const sentence = problems.length > 0 ? problems.join(' ') : message
  return new EngineError(own, sentence, { cause: error, details: { server } })
}

function sentenceOf(problem: unknown): string[] {
  const { path, message } = (problem ?? {}) as { readonly path?: unknown; readonly message?: unknown }
  if (typeof message !== 'string') return []
  return [Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : message]
}
