import { makeChanges, type Changes } from './changes.ts'
import { listFeatures, withFeatures, type FeaturesOf, type ListedFeature } from './features.ts'
import { downloadFile, uploadFile, type UploadedFile, type UploadOptions } from './files.ts'
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

/** How a job is started, beside what it is asked. */
export interface StartOptions extends WaitOptions {
  /** A UUID under which the start counts once, however often it is sent. Made anew for each call when absent. */
  readonly idempotencyKey?: string | undefined
}

/** A server of Harvestman, as a program sees it: a method for each thing that it can be asked. */
export interface HarvestmanClient<Types extends Shapes = OwnShapes> extends OwnFeatures {
  /** Scrapes a page and returns its content in the requested formats. */
  scrape<const Request extends Types['scrape']>(
    request: Request & NoMore<Request, Types['scrape']>,
    options?: WaitOptions,
  ): Promise<DocumentOf<Request, Types['document']>>
  /** Reads a file that you have or have uploaded, HTML, PDF or of an office, and gives its content as a scrape would. */
  parse<const Request extends Types['parse']>(
    file: Blob | Uint8Array | Pick<UploadedFile, 'uploadRef'>,
    request?: Request & NoMore<Request, Types['parse']>,
    options?: WaitOptions,
  ): Promise<DocumentOf<Request, Types['document']>>
  /** Sends a file to the server, for `parse` to read it later. For files too large for one request. */
  upload(file: Blob | Uint8Array, options?: UploadOptions): Promise<UploadedFile>
  /** A screenshot or a PDF, by its address in a document or by its id. */
  file(address: string, options?: WaitOptions): Promise<Blob>
  /** A document that was scraped before, by its `metadata.scrapeId`. */
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
  /** The options of a crawl for a prompt, as a model chooses them. Nothing is crawled. */
  planCrawl(request: { readonly url: string; readonly prompt: string }, options?: WaitOptions): Promise<CrawlPlan>
  /**
   * Starts a job of a kind that a plugin of the server brings, by its name or its value. Its types are those of the engine that
   * the client was made for; else they come from the value, or from one that is imported as a type alone:
   * `start<typeof deadLinks>('dead_links', { url })`.
   */
  readonly start: string extends Types['kind']['kind'] ? StartAny : StartKnown<Types['kind']>
  /** A job of a kind that was started before. */
  readonly find: string extends Types['kind']['kind'] ? FindAny : FindKnown<Types['kind']>
  /** The kinds of jobs that plugins of the server bring. */
  kinds(options?: WaitOptions): Promise<readonly ListedKind[]>
  /** The features of the server with their endpoints. */
  features(options?: WaitOptions): Promise<readonly ListedFeature[]>
  /** The jobs of the team that are kept, of every kind, newest first. */
  jobs(query?: JobQuery, options?: WaitOptions): AsyncGenerator<ListedJob, void, void>
  /** The crawls that run. */
  runningCrawls(options?: WaitOptions): Promise<readonly RunningCrawl[]>
  /** A crawl that was started before. */
  findCrawl(id: string): CrawlJob<Types['document']>
  /** A batch that was started before. */
  findBatch(id: string): Job<Types['document']>
  /** A job of any kind, also one whose kind is not known: how it stands, and what was asked for. */
  findJob(id: string, options?: WaitOptions): Promise<AnyJob>
  /**
   * Sends a request of your own to a path of the server, such as `/v2/kinds`, with the key. Gives the response whatever its status,
   * and sends nothing again.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Videos of live browsers. */
  readonly replays: Replays
  /** Versions of tracked pages. */
  readonly changes: Changes
}

/** Starts a job of a kind that is known by its type alone. */
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

/** Finds a job of a kind that is known by its type alone. */
export type FindAny = <One extends Kind = Kind>(kind: One | One['kind'], id: string) => AnswerJob<KindState<One>>

/** Finds a job of one of the kinds of a server. */
export type FindKnown<Known extends Kind> = <Name extends Known['kind']>(
  kind: Name | (Known & { readonly kind: Name }),
  id: string,
) => AnswerJob<KindState<Extract<Known, { readonly kind: Name }>>>

type PageOptions<Request> = Request extends { readonly scrapeOptions: infer Options extends object } ? Options : object

/** Options that there are not do not compile, at any depth. */
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
 * Makes a client of a server. It holds no connection, so there is nothing to close. With the type of the engine that the server
 * runs, `createClient<typeof engine>(…)`, it knows the formats, actions, kinds of jobs and features of the plugins of that engine.
 */
export function createClient<Engine extends TypedEngine = never>(options: ClientOptions): ClientOf<Engine> {
  // Cast: the same methods; what they take and give follows from a type that the caller alone knows.
  return makeClient(options) as unknown as ClientOf<Engine>
}

/** A client with the types of an engine: of its formats, actions, kinds of jobs and features. */
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
      // Cast: what a kind is asked for is an object; its schema does not say so to everybody.
      makeAnswerJob(http, kind, (await begin(pathOf(kind), request as object, options)).id),
    find: (kind, id) => makeAnswerJob(http, kind, id),
    kinds: (options) => listKinds(http, options),
    features: (options) => listFeatures(http, options),
    jobs: (query = {}, { signal } = {}) => listJobs(http, query, signal),
    runningCrawls: async ({ signal } = {}) => {
      const ask = { method: 'GET', path: '/v2/crawl/active', signal, isRepeatable: true } as const
      return (await http.ask<{ readonly crawls: readonly RunningCrawl[] }>(ask)).crawls
    },
    findCrawl: (id) => makeCrawl(http, encodeURIComponent(id)),
    findBatch: (id) => makeJob(http, 'batch/scrape', encodeURIComponent(id)),
    findJob: (id, options) => findAnyJob(http, id, options),
    fetch: http.send,
    replays: makeReplays(http),
    changes: makeChanges(http),
  } satisfies Omit<HarvestmanClient, keyof PlainPages | keyof OwnFeatures> & PlainPages
  // Cast: features are found by their names.
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
