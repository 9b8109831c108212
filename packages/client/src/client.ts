import { makeChanges, type Changes } from './changes.ts'
import { makeHttp, type ClientOptions, type Http } from './http.ts'
import { findAnyJob, makeCrawl, makeJob, type AnyJob, type CrawlJob, type Job, type WaitOptions } from './job.ts'
import {
  makeAnswerJob,
  pathOf,
  type AnswerJob,
  type Kind,
  type KindRequest,
  type KindState,
  type ListedKind,
} from './kind.ts'
import { makeBrowsers, type LiveBrowsers } from './live.ts'
import type {
  DocumentOf,
  JobQuery,
  ListedJob,
  MapAnswer,
  PageOf,
  ParseRequest,
  ScrapeRequest,
  SearchAnswer,
  SearchRequest,
} from './requests.ts'
import { makeDatasets, type Datasets } from './datasets.ts'
import { makeMonitors, type Monitors } from './monitors.ts'
import { makeTeam, type Team } from './team.ts'
import type { BatchRequest, CrawlRequest, Document, MapRequest } from './types.ts'

/** How a job is started, beside what it is asked. */
export interface StartOptions extends WaitOptions {
  /** A UUID under which the start counts once, however often it is sent. Made anew for each call when absent. */
  readonly idempotencyKey?: string | undefined
}

/** A server of Harvestman, as a program sees it: a method for each thing that it can be asked. */
export interface HarvestmanClient {
  /** Scrapes a page and returns its content in the requested formats. */
  scrape<const Request extends ScrapeRequest>(
    request: Request & NoMore<Request, ScrapeRequest>,
    options?: WaitOptions,
  ): Promise<DocumentOf<Request>>
  /** Reads a file that you have, HTML, PDF or of an office, and gives its content as a scrape would. */
  parse<const Request extends ParseRequest>(
    file: Blob | Uint8Array,
    request?: Request & NoMore<Request, ParseRequest>,
    options?: WaitOptions,
  ): Promise<DocumentOf<Request>>
  /** A document that was scraped before, by its `metadata.scrapeId`. */
  findScrape(id: string, options?: WaitOptions): Promise<Document>
  /** Lists the URLs of a site. */
  map(request: MapRequest, options?: WaitOptions): Promise<MapAnswer>
  /** Searches for pages. With formats in `scrapeOptions`, each result has the content of its page. */
  search<const Request extends SearchRequest>(
    request: Request & NoMore<Request, SearchRequest>,
    options?: WaitOptions,
  ): Promise<SearchAnswer<PageOf<Request>>>
  /** Starts a crawl. */
  crawl<const Request extends CrawlRequest>(
    request: Request & NoMore<Request, CrawlRequest>,
    options?: StartOptions,
  ): Promise<CrawlJob<DocumentOf<Request['scrapeOptions'] extends object ? Request['scrapeOptions'] : object>>>
  /** Starts a batch. */
  batch<const Request extends BatchRequest>(
    request: Request & NoMore<Request, BatchRequest>,
    options?: StartOptions,
  ): Promise<Job<DocumentOf<Request>>>
  /**
   * Starts a job of a kind that a plugin of the server brings, by its name or its value. Its types come from the value, or from
   * one that is imported as a type alone: `start<typeof deadLinks>('dead_links', { url })`.
   */
  start<One extends Kind = Kind>(
    kind: One | One['kind'],
    request: KindRequest<One>,
    options?: StartOptions,
  ): Promise<AnswerJob<KindState<One>>>
  /** A job of a kind that was started before. */
  find<One extends Kind = Kind>(kind: One | One['kind'], id: string): AnswerJob<KindState<One>>
  /** The kinds of jobs that plugins of the server bring. */
  kinds(options?: WaitOptions): Promise<readonly ListedKind[]>
  /** The jobs of the team that are kept, of every kind, newest first. */
  jobs(query?: JobQuery, options?: WaitOptions): AsyncGenerator<ListedJob, void, void>
  /** A crawl that was started before. */
  findCrawl(id: string): CrawlJob<Document>
  /** A batch that was started before. */
  findBatch(id: string): Job<Document>
  /** A job of any kind, also one whose kind is not known: how it stands, and what was asked for. */
  findJob(id: string, options?: WaitOptions): Promise<AnyJob>
  /** Live browsers. */
  readonly browsers: LiveBrowsers
  /** Versions of tracked pages. */
  readonly changes: Changes
  /** Pages, crawls and searches that are checked on a schedule. */
  readonly monitors: Monitors
  /** Rows with a key and a history. */
  readonly datasets: Datasets
  /** The team of the key: its credits, its requests, and what a request would cost. */
  readonly team: Team
}

const defaultTimeout = 30_000
const searchTimeout = 60_000
const moreThanTimeout = 5_000

/** Options that there are not do not compile. */
type NoMore<Given, Known> = Readonly<Record<Exclude<keyof Given, keyof Known>, never>>

interface Started {
  readonly id: string
  readonly invalidURLs?: readonly string[]
}

/** Makes a client of a server. It holds no connection, so there is nothing to close. */
export function createClient(options: ClientOptions): HarvestmanClient {
  const http = makeHttp(options)
  const begin = (path: string, body: object, { signal, idempotencyKey }: StartOptions): Promise<Started> => {
    const headers = { 'x-idempotency-key': idempotencyKey ?? crypto.randomUUID() }
    return http.ask({ method: 'POST', path, body, headers, signal, isRepeatable: true })
  }
  const startBatch = async (body: object, options: StartOptions) => {
    const { id, invalidURLs } = await begin('/v2/batch/scrape', body, options)
    return makeJob<never>(http, 'batch/scrape', id, invalidURLs && { invalidURLs })
  }
  const scrape = async (request: ScrapeRequest, { signal }: WaitOptions = {}): Promise<Document> => {
    const timeout = (request.timeout ?? defaultTimeout) + moreThanTimeout
    const ask = { method: 'POST', path: '/v2/scrape', body: request, signal, timeout, isRepeatable: false } as const
    return (await http.ask<{ readonly data: Document }>(ask)).data
  }
  const parse = async (file: Blob | Uint8Array, request: ParseRequest = {}, { signal }: WaitOptions = {}) => {
    const { name = 'file', contentType, ...options } = request
    const form = new FormData()
    form.append('options', JSON.stringify(options))
    form.append('file', blobOf(file, contentType), name)
    const timeout = (request.timeout ?? defaultTimeout) + moreThanTimeout
    const ask = { method: 'POST', path: '/v2/parse', form, signal, timeout, isRepeatable: false } as const
    return (await http.ask<{ readonly data: Document }>(ask)).data
  }
  const search = async (request: SearchRequest, { signal }: WaitOptions = {}): Promise<SearchAnswer> => {
    const timeout = (request.timeout ?? searchTimeout) + moreThanTimeout
    const ask = { method: 'POST', path: '/v2/search', body: request, signal, timeout, isRepeatable: false } as const
    const { data, ...rest } = await http.ask<SearchAnswer & { readonly data: SearchAnswer }>(ask)
    return { ...rest, ...data }
  }
  return {
    search: search as HarvestmanClient['search'],
    scrape: scrape as HarvestmanClient['scrape'],
    parse: parse as HarvestmanClient['parse'],
    findScrape: async (id, { signal } = {}) => {
      const path = `/v2/scrape/${encodeURIComponent(id)}`
      return (await http.ask<{ readonly data: Document }>({ method: 'GET', path, signal, isRepeatable: true })).data
    },
    map: (request, { signal } = {}) => {
      const timeout = request.timeout === undefined ? undefined : request.timeout + moreThanTimeout
      return http.ask({ method: 'POST', path: '/v2/map', body: request, signal, timeout, isRepeatable: false })
    },
    crawl: async (request, started = {}) => makeCrawl<never>(http, (await begin('/v2/crawl', request, started)).id),
    batch: (request, started = {}) => startBatch(request, started),
    start: async (kind, request, options = {}) =>
      // Cast: what a kind is asked for is an object; its schema does not say so to everybody.
      makeAnswerJob(http, kind, (await begin(pathOf(kind), request as object, options)).id),
    find: (kind, id) => makeAnswerJob(http, kind, id),
    kinds: (options) => listKinds(http, options),
    jobs: (query = {}, { signal } = {}) => listJobs(http, query, signal),
    findCrawl: (id) => makeCrawl(http, encodeURIComponent(id)),
    findBatch: (id) => makeJob(http, 'batch/scrape', encodeURIComponent(id)),
    findJob: (id, options) => findAnyJob(http, id, options),
    browsers: makeBrowsers(http),
    changes: makeChanges(http),
    monitors: makeMonitors(http),
    datasets: makeDatasets(http),
    team: makeTeam(http),
  }
}

async function listKinds(http: Http, { signal }: WaitOptions = {}): Promise<readonly ListedKind[]> {
  const ask = { method: 'GET', path: '/v2/kinds', signal, isRepeatable: true } as const
  return (await http.ask<{ readonly kinds: readonly ListedKind[] }>(ask)).kinds
}

async function* listJobs(
  http: Http,
  query: JobQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedJob, void, void> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][]
  const asked = new URLSearchParams([...given, ['limit', '100']])
  for (;;) {
    const ask = { method: 'GET', path: `/v2/jobs?${asked.toString()}`, signal, isRepeatable: true } as const
    const { jobs, cursor } = await http.ask<{ readonly jobs: readonly ListedJob[]; readonly cursor?: string }>(ask)
    yield* jobs
    if (cursor === undefined) return
    asked.set('cursor', cursor)
  }
}

function blobOf(file: Blob | Uint8Array, contentType: string | undefined): Blob {
  const type = contentType ?? (file instanceof Blob ? file.type : '')
  return new Blob([file instanceof Blob ? file : new Uint8Array(file)], { type })
}
