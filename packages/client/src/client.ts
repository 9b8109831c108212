import { makeChanges, type Changes } from './changes.ts'
import { listFeatures, withFeatures, type FeaturesOf, type ListedFeature } from './features.ts'
import {
  downloadFile,
  listParseFormats,
  uploadFile,
  type ParseFormat,
  type UploadedFile,
  type UploadOptions,
} from './files.ts'
import { makeHttp, sendRequest, type ClientOptions, type Http, type RequestOptions } from './http.ts'
import {
  findAnyJob,
  jobRows,
  jobStatus,
  makeCrawl,
  makeJob,
  type AnyJob,
  type CrawlJob,
  type Job,
  type JobRows,
  type RowsQuery,
  type WaitOptions,
} from './job.ts'
import {
  makeAnswerJob,
  pathOf,
  type AnswerJob,
  type Kind,
  type KindRequest,
  type KindState,
  type ListedKind,
} from './kind.ts'
import { findThread, type Thread, type ThreadOptions } from './threads.ts'
import type {
  CrawlPlan,
  DocumentOf,
  JobQuery,
  ListedJob,
  MapAnswer,
  PageOf,
  RunningCrawl,
  SearchAnswer,
} from './requests.ts'
import { ownRoutes, type OwnFeatures } from './own-features.ts'
import { makePages, type PlainPages } from './pages.ts'
import { makeReplays, type Replays } from './replays.ts'
import type { OwnShapes, Shapes, ShapesOf, TypedEngine } from './server.ts'
import type { CrawlRequest, Document, MapRequest } from './types.ts'

/** Options for starting a job, besides its request. */
export interface StartOptions extends WaitOptions {
  /** UUID that makes repeated starts return the same job. Default: a new one for each call. */
  readonly idempotencyKey?: string | undefined
}

/** Client of a Harvestman server, with one method per operation. */
export interface HarvestmanClient<Types extends Shapes = OwnShapes> extends OwnFeatures {
  /** Scrapes a page and returns its content in the requested formats. */
  scrape<const Request extends Types['scrape']>(
    request: Request & NoMore<Request, Types['scrape']>,
    options?: WaitOptions,
  ): Promise<DocumentOf<Request, Types['document']>>
  /**
   * Parses a file, such as HTML, PDF or an office document, and returns its content like a scrape. Takes the file or an earlier
   * upload.
   */
  parse<const Request extends Types['parse']>(
    file: Blob | Uint8Array | Pick<UploadedFile, 'uploadRef'>,
    request?: Request & NoMore<Request, Types['parse']>,
    options?: WaitOptions,
  ): Promise<DocumentOf<Request, Types['document']>>
  /** Uploads a file for a later `parse`. For files that are too large for one request. */
  upload(file: Blob | Uint8Array, options?: UploadOptions): Promise<UploadedFile>
  /** Lists the file formats that the server can parse, and those that it refuses, with `available: false`. */
  parseFormats(options?: WaitOptions): Promise<readonly ParseFormat[]>
  /** Downloads a screenshot or a PDF, by its URL in a document or by its id. */
  file(address: string, options?: WaitOptions): Promise<Blob>
  /** Returns the document of an earlier scrape, by its `metadata.scrapeId`. */
  findScrape(id: string, options?: WaitOptions): Promise<Types['document']>
  /** Lists the URLs of a site. */
  map(request: MapRequest, options?: WaitOptions): Promise<MapAnswer>
  /** Searches for pages. With formats in `scrapeOptions`, each result has the content of its page. */
  search<const Request extends Types['search']>(
    request: Request & NoMore<Request, Types['search']>,
    options?: WaitOptions,
  ): Promise<SearchAnswer<PageOf<Request, Types['document']>>>
  /** Starts a crawl. */
  crawl<const Request extends Types['crawl']>(
    request: Request & NoMore<Request, Types['crawl']>,
    options?: StartOptions,
  ): Promise<CrawlJob<DocumentOf<PageOptions<Request>, Types['document']>>>
  /** Starts a batch. */
  batch<const Request extends Types['batch']>(
    request: Request & NoMore<Request, Types['batch']>,
    options?: StartOptions,
  ): Promise<Job<DocumentOf<Request, Types['document']>>>
  /** Returns crawl options that a model chooses for a prompt. Crawls nothing. */
  planCrawl(request: { readonly url: string; readonly prompt: string }, options?: WaitOptions): Promise<CrawlPlan>
  /**
   * Starts a job of a kind that a plugin of the server adds, by its name or definition. It is typed by the engine of the
   * client, else by the definition, which may be a type-only import: `start<typeof deadLinks>('dead_links', { url })`.
   */
  readonly start: string extends Types['kind']['kind'] ? StartAny : StartKnown<Types['kind']>
  /** Returns the handle of an earlier job of a kind. */
  readonly find: string extends Types['kind']['kind'] ? FindAny : FindKnown<Types['kind']>
  /** Returns a thread of jobs of a kind, such as the conversation of an agent: `findThread('agent', threadId)`. */
  findThread<Data = unknown>(kind: Kind | string, id: string, options?: ThreadOptions): Promise<Thread<Data>>
  /** Lists the job kinds that plugins of the server add. */
  kinds(options?: WaitOptions): Promise<readonly ListedKind[]>
  /** Lists the features of the server with their endpoints. */
  features(options?: WaitOptions): Promise<readonly ListedFeature[]>
  /** Yields the stored jobs of the team, of every kind, newest first. */
  jobs(query?: JobQuery, options?: WaitOptions): AsyncGenerator<ListedJob, void, void>
  /** Lists the running crawls. */
  runningCrawls(options?: WaitOptions): Promise<readonly RunningCrawl[]>
  /** Returns the handle of an earlier crawl. */
  findCrawl(id: string): CrawlJob<Types['document']>
  /** Returns the handle of an earlier batch. */
  findBatch(id: string): Job<Types['document']>
  /** Returns the status and request of a job of any kind. */
  findJob(id: string, options?: WaitOptions): Promise<AnyJob>
  /** Returns the status of a job of any kind. Use it to follow a job: its request, which can be large, is not sent. */
  jobStatus(id: string, options?: WaitOptions): Promise<ListedJob>
  /**
   * Returns the status of a job of any kind, and the outcomes of its URLs after a cursor, without documents. Call it again with
   * the new cursor to follow the job.
   */
  jobRows(id: string, query?: RowsQuery, options?: WaitOptions): Promise<JobRows>
  /**
   * Sends a request to an endpoint that has no method here, such as `/v2/kinds`, and returns the JSON of the response. Throws
   * `HarvestmanError` if it fails. A `GET` is retried like other calls.
   */
  request<Result = unknown>(path: string, options?: RequestOptions): Promise<Result>
  /**
   * Sends a custom request to a path of the server, such as `/v2/kinds`, with the key. Returns the response whatever its
   * status, and does not retry.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Videos of live browsers. */
  readonly replays: Replays
  /** Versions of tracked pages. */
  readonly changes: Changes
}

/** Starts a job of a kind that is known by its type only. */
export type StartAny = <One extends Kind = Kind>(
  kind: One | One['kind'],
  request: KindRequest<One>,
  options?: StartOptions,
) => Promise<AnswerJob<KindState<One>>>

/** Starts a job of one of the kinds of a server. */
export type StartKnown<Known extends Kind> = <Name extends Known['kind']>(
  kind: Name | (Known & { readonly kind: Name }),
  request: KindRequest<Extract<Known, { readonly kind: Name }>>,
  options?: StartOptions,
) => Promise<AnswerJob<KindState<Extract<Known, { readonly kind: Name }>>>>

/** Finds a job of a kind that is known by its type only. */
export type FindAny = <One extends Kind = Kind>(kind: One | One['kind'], id: string) => AnswerJob<KindState<One>>

/** Finds a job of one of the kinds of a server. */
export type FindKnown<Known extends Kind> = <Name extends Known['kind']>(
  kind: Name | (Known & { readonly kind: Name }),
  id: string,
) => AnswerJob<KindState<Extract<Known, { readonly kind: Name }>>>

type PageOptions<Request> = Request extends { readonly scrapeOptions: infer Options extends object } ? Options : object

/** Makes unknown options a compile error, at any depth. */
type NoMore<Given, Known> = unknown extends Known
  ? unknown
  : Given extends { readonly '~standard': unknown }
    ? unknown
    : Given extends readonly (infer Item)[]
      ? [Extract<Item, object>] extends [never]
        ? unknown
        : readonly (Exclude<Item, object> | NoMore<Extract<Item, object>, ItemOf<Known>>)[]
      : Given extends object
        ? {
            readonly [Name in keyof Given]: Name extends KeyOf<Known>
              ? NoMore<Given[Name], ValueOf<Known, Name>>
              : never
          }
        : unknown

type ItemOf<Type> = Type extends readonly unknown[] ? Type[number] : never
type KeyOf<Type> = Type extends unknown ? keyof Type : never
type ValueOf<Type, Name> = Type extends unknown ? (Name extends keyof Type ? Type[Name] : never) : never

interface Started {
  readonly id: string
  readonly invalidURLs?: readonly string[]
}

/**
 * Creates a client of a server. It holds no connection, so it need not be closed. With the type of the server's engine,
 * `createClient<typeof engine>(…)`, it knows the formats, actions, job kinds and features of that engine's plugins. Sends
 * nothing until a method is called; then an invalid URL rejects with `NETWORK`.
 */
export function createClient<Engine extends TypedEngine = never>(options: ClientOptions): ClientOf<Engine> {
  // Cast: the methods are the same; only the caller knows their request and result types.
  return makeClient(options) as ClientOf<Engine>
}

/** A client with the types of an engine: its formats, actions, job kinds and features. */
export type ClientOf<Engine extends TypedEngine> = [Engine] extends [never]
  ? HarvestmanClient
  : HarvestmanClient<ShapesOf<Engine>> & Omit<FeaturesOf<Engine>, keyof HarvestmanClient>

function makeClient(options: ClientOptions): Omit<HarvestmanClient, keyof PlainPages> & PlainPages {
  const http = makeHttp(options)
  const begin = (path: string, body: object, { signal, idempotencyKey }: StartOptions): Promise<Started> => {
    const headers = { 'x-idempotency-key': idempotencyKey ?? crypto.randomUUID() }
    return http.ask({ method: 'POST', path, body, headers, signal, isRepeatable: true })
  }
  const startBatch = async (body: object, options: StartOptions) => {
    const { id, invalidURLs } = await begin('/v2/batch/scrape', body, options)
    return makeJob<never>(http, 'batch/scrape', id, invalidURLs && { invalidURLs })
  }
  const client = {
    ...makePages(http),
    findScrape: async (id, { signal } = {}) => {
      const path = `/v2/scrape/${encodeURIComponent(id)}`
      return (await http.ask<{ readonly data: Document }>({ method: 'GET', path, signal, isRepeatable: true })).data
    },
    upload: (file, options) => uploadFile(http, file, options),
    parseFormats: (options) => listParseFormats(http, options),
    file: (address, options) => downloadFile(http, address, options),
    crawl: async (request, started = {}) => makeCrawl<never>(http, (await begin('/v2/crawl', request, started)).id),
    batch: (request, started = {}) => startBatch(request, started),
    planCrawl: async (request, { signal } = {}) => {
      const ask = {
        method: 'POST',
        path: '/v2/crawl/params-preview',
        body: request,
        signal,
        isRepeatable: true,
      } as const
      const { data, warning } = await http.ask<{ readonly data: CrawlRequest; readonly warning?: string }>(ask)
      return { options: data, warning }
    },
    start: async (kind, request, options = {}) =>
      // Cast: the request of a kind is an object, which its generic schema does not state.
      makeAnswerJob(http, kind, (await begin(pathOf(kind), request as object, options)).id),
    find: (kind, id) => makeAnswerJob(http, kind, id),
    findThread: (kind, id, options) => findThread(http, kind, id, options),
    kinds: (options) => listKinds(http, options),
    features: (options) => listFeatures(http, options),
    jobs: (query = {}, { signal } = {}) => listJobs(http, query, signal),
    runningCrawls: async ({ signal } = {}) => {
      const ask = { method: 'GET', path: '/v2/crawl/active', signal, isRepeatable: true } as const
      return (await http.ask<{ readonly crawls: readonly RunningCrawl[] }>(ask)).crawls
    },
    findCrawl: (id) => makeCrawl(http, id),
    findBatch: (id) => makeJob(http, 'batch/scrape', id),
    findJob: (id, options) => findAnyJob(http, id, options),
    jobStatus: (id, options) => jobStatus(http, id, options),
    jobRows: (id, query, options) => jobRows(http, id, query, options),
    request: (path, options) => sendRequest(http, path, options),
    fetch: http.send,
    replays: makeReplays(http),
    changes: makeChanges(http),
  } satisfies Omit<HarvestmanClient, keyof PlainPages | keyof OwnFeatures> & PlainPages
  // Cast: features are resolved by name.
  return withFeatures(client, http, ownRoutes) as typeof client & OwnFeatures
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
  const entries = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][]
  const search = new URLSearchParams([...entries, ['limit', '100']])
  for (;;) {
    const ask = { method: 'GET', path: `/v2/jobs?${search.toString()}`, signal, isRepeatable: true } as const
    const { jobs, cursor } = await http.ask<{ readonly jobs: readonly ListedJob[]; readonly cursor?: string }>(ask)
    yield* jobs
    if (cursor === undefined) return
    search.set('cursor', cursor)
  }
}
