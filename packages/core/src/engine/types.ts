// The public interface of the engine: its options and its methods.
import type { z } from 'zod'

import type { Batch } from '../batch/batch.ts'
import type { Crawl } from '../crawl/crawl.ts'
import type { PageDiff, PageHistory, TrackedPageList } from '../changes/page-history.ts'
import type { ByKind, JobsOf, UncheckedKinds } from './by-kind.ts'
import type { JobsApi } from './jobs-api.ts'
import type { FeaturesOf } from './features.ts'
import type { ServedFeature, ServedFeaturesOf } from './served-features.ts'
import type { teamFeature, TeamOperations } from '../team/feature.ts'
import type { JobCall, MapCall } from './job-call.ts'
import type { JobSchemas, UncheckedJobs } from './jobs.ts'
import type { MapResult } from '../map/map.ts'
import type { SearchResult } from '../search/search.ts'
import type { Account, Blob, Blobs, Ledger, Observer, Queue, Store } from '@harvestman/ports'
import type { searchSchema } from '../schema/search.ts'
import type { ProvidedPort } from '../plugin/port.ts'
import type { EnginePorts, FileType, Plugin } from '../plugin/parts.ts'
import type { Preview } from '../plugin/price.ts'
import type { FileSchema, ScrapeSchema } from '../plugin/build-schema.ts'
import type { EngineKeeping, EngineLimits } from '../schema/engine-limits.ts'
import type { diffSchema, historySchema, trackedSchema } from '../schema/changes.ts'
import type { RobotsPolicy } from '../schema/manners.ts'
import type { mapSchema } from '../schema/map.ts'
import type { RequestDefaults } from '../schema/scrape.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { KnownHost } from '../scrape/hosts.ts'
import type { TeamCall } from '../plugin/admission.ts'
import type { LoadingPages } from '@harvestman/coordination'
import type { AdmitServerRequest } from './requests.ts'
import type {
  ActionsOf,
  BatchInput,
  CrawlInput,
  DocumentFor,
  FormatEntry,
  FormatsOf,
  MapInput,
  ParseInput,
  ScrapeInput,
  SearchInput,
} from '../types.ts'

type FormatList<Plugins extends readonly Plugin[]> = readonly FormatEntry<FormatsOf<Plugins>>[]

type DocumentOf<Plugins extends readonly Plugin[], Formats extends readonly unknown[]> = DocumentFor<
  Formats,
  FormatsOf<Plugins>,
  ActionsOf<Plugins>
>

type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** The options of `createEngine`. Each port has an embedded default, or is absent. */
export interface EngineOptions<Plugins extends readonly Plugin[] = readonly Plugin[]> extends Optional<
  Omit<EnginePorts, 'sessions'>
> {
  /** Stores results, jobs and cached pages. Default: in memory. */
  readonly store?: Store | undefined
  /** Distributes jobs to engines. Default: within this process. */
  readonly queue?: Queue | undefined
  /**
   * True to run jobs as soon as one is started. Set false when other engines on the same store and queue run them;
   * `work()` turns it on.
   */
  readonly works?: boolean | undefined
  /**
   * Encrypts credentials in stored requests (headers, actions, URLs with passwords or keys), at least 16 characters. All
   * engines on a store need the same, also after a restart. Default: a key of this process, so other processes cannot
   * continue jobs that need credentials.
   */
  readonly secretKey?: string | undefined
  /** Stores screenshots and PDFs. Default: `data:` URLs in the document; on a server, the store. */
  readonly blobs?: Blobs | undefined
  /** Counts credits. Default: in the store. */
  readonly ledger?: Ledger | undefined
  /** Services for the ports of plugins: `providePort(port, service)`. */
  readonly ports?: readonly ProvidedPort[] | undefined
  readonly observer?: Observer | undefined
  readonly plugins?: Plugins
  /**
   * Signs webhook messages: one secret, the new and the old one during rotation, or a function that returns a team's secrets.
   */
  readonly webhookSecret?: Secrets | ((team: string) => Secrets) | undefined
  /** The webhook URL for jobs without their own webhook. `{{JOB_ID}}` is replaced by the job id. */
  readonly webhook?: string | undefined
  /** Private networks that may be visited: `CIDR` or `CIDR:port`. Default: none. */
  readonly allowPrivate?: readonly string[] | undefined
  /** The user agent sent to every host, such as `Name/1.0 (+https://…)`. Default: a browser. */
  readonly userAgent?: string | undefined
  /** Headers sent to the host of every page. Headers of a request win. They do not bypass the cache. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** When to check robots.txt: for `crawls` that do not turn it off, `always`, or `never`. Default: `crawls`. */
  readonly robots?: RobotsPolicy | undefined
  /** Limits on time, memory and concurrency. */
  readonly limits?: Partial<EngineLimits> | undefined
  /** Time to keep results, jobs, pages and files. */
  readonly keep?: Partial<EngineKeeping> | undefined
  /** Defaults of requests. */
  readonly defaults?: Partial<RequestDefaults> | undefined
}

export type HistoryInput = Readonly<z.input<ReturnType<typeof historySchema>>>
export type DiffInput = Readonly<z.input<ReturnType<typeof diffSchema>>>

export type Secrets = string | readonly string[]

/** Options of a call, in addition to the request. */
export interface Call extends TeamCall {
  readonly signal?: AbortSignal | undefined
  /** Version of the API that the caller uses, for the activity log. */
  readonly apiVersion?: string | undefined
  /** Stores the document, so that `results.find` returns it later. */
  readonly keep?: boolean | undefined
  /** For servers: URL prefix of files. The document then contains URLs instead of the bytes. */
  readonly filesAt?: string | undefined
  /** Adds `explain` to the document: each decision and its reason. */
  readonly explain?: boolean | undefined
  /**
   * For servers that only serialize the document: large values may already be serialized, which is done in a thread.
   * `JSON.stringify` works as usual, and `jsonPieces` passes them on without decoding.
   */
  readonly encoded?: boolean | undefined
}

/** Names of core's operations. */
export type OwnKind = 'scrape' | 'crawl' | 'batch' | 'map' | 'search'

/** Names of operations with a price: core's operations and the kinds of jobs of plugins. */
export type PreviewKind<Plugins extends readonly Plugin[] = readonly Plugin[]> = OwnKind | JobsOf<Plugins>['kind']

/** Options of a search call, in addition to the request. */
export type SearchCall = Omit<Call, 'explain' | 'encoded'>

/** Operations for untyped requests, which are validated at run time. */
export interface UncheckedApi extends UncheckedJobs, UncheckedKinds {
  scrape(request: unknown, call?: Call): Promise<AnyDocument>
  parse(bytes: Uint8Array, request?: unknown, call?: Call): Promise<AnyDocument>
  map(request: unknown, call?: MapCall): Promise<MapResult>
  search(request: unknown, call?: SearchCall): Promise<SearchResult>
  /** Returns how many pages of a team all engines on the store are loading. Counts of other engines are up to a second old. */
  loadingOf(team: string): Promise<LoadingPages>
}

/** Stored versions of pages that were scraped with `changeTracking`. */
export interface EngineChanges {
  /** Lists the tracked pages, each with its newest version: `{ limit, cursor }`. */
  list(request?: z.input<ReturnType<typeof trackedSchema>>, call?: Pick<Call, 'team'>): Promise<TrackedPageList>
  /** Lists the versions of a page: `{ url, tag }`. */
  history(request: HistoryInput, call?: Pick<Call, 'team'>): Promise<PageHistory>
  /** Returns the diff of two versions of a page: `{ url, tag, from, to }`. Default: the newest two. */
  diff(request: DiffInput, call?: Pick<Call, 'team'>): Promise<PageDiff>
}

/** Hosts whose pages are loaded in the browser without trying plain HTTP first. */
export interface EngineHosts {
  /** Finds a host by the URL of a page. */
  find(url: string, call?: Pick<Call, 'team'>): Promise<KnownHost | undefined>
  forget(url: string, call?: Pick<Call, 'team'>): Promise<void>
}

/** Stored results of scrapes. */
export interface EngineResults {
  /** Returns a document by its `metadata.scrapeId`. */
  find(id: string, call?: Pick<Call, 'team' | 'scopes' | 'encoded'>): Promise<AnyDocument>
  /** Returns a screenshot or a PDF by its id or its URN (`urn:uuid:…`). */
  file(id: string, call?: Pick<Call, 'team'>): Promise<Blob>
}

/** An engine with the features of its plugins. */
export type Engine<Plugins extends readonly Plugin[] = readonly Plugin[]> = CoreEngine<Plugins> & FeaturesOf<Plugins>

/** Methods of every engine. */
export interface CoreEngine<Plugins extends readonly Plugin[] = readonly Plugin[]> extends ByKind<Plugins> {
  /** Features with endpoints, by name: their definitions, and functions that call their endpoints, for servers. */
  readonly features: ServedFeaturesOf<Plugins> & { readonly team: ServedFeature<typeof teamFeature> }
  /** Credits and queue of a team, and the price of requests, as JSON. */
  readonly team: TeamOperations
  /** Names of its plugins. */
  readonly plugins: { readonly [Index in keyof Plugins]: string }
  /** Scrapes a page and returns its content in the requested formats. */
  scrape<const Formats extends FormatList<Plugins> = never>(
    request: ScrapeInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: Call,
  ): Promise<DocumentOf<Plugins, Formats>>
  /** Parses a file (HTML, PDF, office files) and returns its content like a scrape. Loads nothing. */
  parse<const Formats extends FormatList<Plugins> = never>(
    bytes: Uint8Array,
    request?: ParseInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: Call,
  ): Promise<DocumentOf<Plugins, Formats>>
  /** Starts a crawl of a site. */
  crawl<const Formats extends FormatList<Plugins> = never>(
    request: CrawlInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: JobCall,
  ): Promise<Crawl<DocumentOf<Plugins, Formats>>>
  /** Starts a batch of pages. */
  batch<const Formats extends FormatList<Plugins> = never>(
    request: BatchInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: JobCall,
  ): Promise<Batch<DocumentOf<Plugins, Formats>>>
  /** Lists the URLs of a site. */
  map(request: MapInput, call?: MapCall): Promise<MapResult>
  /** Searches for pages. With formats in `scrapeOptions`, each result has the content of its page. */
  search<const Formats extends FormatList<Plugins> = never>(
    request: SearchInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: SearchCall,
  ): Promise<SearchResult<DocumentOf<Plugins, Formats>>>
  /** The same operations for untyped requests, which are validated at run time. */
  readonly unchecked: UncheckedApi
  /** Finds and lists crawls, batches and all other jobs. */
  readonly jobs: JobsApi<Plugins>
  /** Stored versions of pages, and their diffs. */
  readonly changes: EngineChanges
  /** Stored documents and files. */
  readonly results: EngineResults
  /** Hosts that need the browser. */
  readonly hosts: EngineHosts
  readonly schemas: {
    readonly scrape: ScrapeSchema
    readonly parse: FileSchema
    readonly document: z.ZodType
    readonly map: ReturnType<typeof mapSchema>
    readonly search: ReturnType<typeof searchSchema>
  } & JobSchemas
  /**
   * Checks that the store and the file store return a value just written, and that the queue is reachable. Rejects with
   * `store_failed`, whose details may have a `reason`.
   */
  checkStore(): Promise<void>
  /**
   * Loads and compiles the code for the first requests: builds their schemas, reads generated pages, and loads the code of
   * crawls and maps. Call it after the process has started. Requests are handled between its short steps. Each call repeats
   * all steps, which are faster with the code loaded. Rejects with `closed` when the engine is closed, and with `timeout` after
   * a minute. Sends, stores and charges nothing.
   */
  warmUp(): Promise<void>
  /** Credits of teams. */
  readonly ledger: Ledger
  /** Returns the credits that a team has left and has used, by day, month and key. */
  usage(call?: Pick<Call, 'team'>): Promise<Account>
  /** Returns the price of a request, without running it. Throws `scope_missing` if the scopes of the call do not allow it. */
  preview(kind: PreviewKind<Plugins>, request: unknown, call?: TeamCall): Preview
  /**
   * For servers: admits or refuses a request before its body is read. Pass the result as `admitted` of the call, so that the
   * gates are not called again. Rejects with `scope_missing`, or with the error of a gate.
   */
  readonly admit: AdmitServerRequest
  /** Returns the capabilities of this engine, by name. */
  capabilities(): Capabilities
  /** Limits of the engine, with defaults filled in. */
  readonly limits: EngineLimits
  /** Stops running work and closes everything that the engine opened. Adapters that you passed in stay open. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A format or an action that a plugin adds. */
export interface AddedPart {
  readonly type: string
  readonly plugin: string
  readonly options: z.ZodObject
}

/** Capabilities of an engine, by name. */
export interface Capabilities {
  readonly formats: Readonly<Record<string, boolean>>
  readonly actions: readonly string[]
  readonly loaders: readonly string[]
  readonly parsers: Readonly<Record<string, readonly string[]>>
  /** File types of all parsers, plugins first. */
  readonly files: readonly FileType[]
  readonly ports: readonly string[]
  /** Names of its operations in the activity log. */
  readonly endpoints: readonly string[]
  /** Usable formats and actions of plugins, with the schemas of their options. */
  readonly added: {
    readonly formats: readonly (AddedPart & { readonly as: string })[]
    readonly actions: readonly AddedPart[]
  }
}
