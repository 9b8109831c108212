// What an engine is given, and what it can be asked: the public face of it.
import type { z } from 'zod'

import type { Batch } from '../batch/batch.ts'
import type { Crawl } from '../crawl/crawl.ts'
import type { PageDiff, PageHistory } from '../changes/doors.ts'
import type { ByKind, JobsOf, UncheckedKinds } from './by-kind.ts'
import type { JobDoors } from './job-doors.ts'
import type { FeaturesOf } from './features.ts'
import type { JobCall, MapCall } from './job-call.ts'
import type { JobSchemas, UncheckedJobs } from './jobs.ts'
import type { MapResult } from '../map/map.ts'
import type { SearchResult } from '../search/search.ts'
import type { Account, Blob, Blobs, Ledger, Observer, Queue, Store } from '@harvestman/ports'
import type { searchSchema } from '../schema/search.ts'
import type { ProvidedPort } from '../plugin/port.ts'
import type { EnginePorts, Plugin } from '../plugin/parts.ts'
import type { Preview } from '../plugin/price.ts'
import type { FileSchema, ScrapeSchema } from '../plugin/build-schema.ts'
import type { EngineKeeping, EngineLimits } from '../schema/engine-options.ts'
import type { diffSchema, historySchema } from '../schema/changes.ts'
import type { RobotsPolicy } from '../schema/manners.ts'
import type { mapSchema } from '../schema/map.ts'
import type { RequestDefaults } from '../schema/scrape.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { KnownHost } from '../scrape/hosts.ts'
import type { TeamCall } from '../plugin/admission.ts'
import type { ServerDoor } from './requests.ts'
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

/** What an engine is made of. Each port has an embedded default, or is absent. */
export interface EngineOptions<Plugins extends readonly Plugin[] = readonly Plugin[]> extends Optional<EnginePorts> {
  /** Keeps results, and pages for the cache. In memory when absent. */
  readonly store?: Store | undefined
  /** Hands out jobs to engines. Within this process when absent. */
  readonly queue?: Queue | undefined
  /**
   * Whether this engine works on jobs as soon as one is asked for. Say false where others work on them, which share its
   * store and queue: then it does once `work()` is called.
   */
  readonly works?: boolean | undefined
  /** Where pictures and PDFs go. Without it they stay in the document, as `data:` addresses, or go to the store when served. */
  readonly blobs?: Blobs | undefined
  /** Counts credits. In the store when absent. */
  readonly ledger?: Ledger | undefined
  /** What the ports of plugins ask for. */
  readonly ports?: readonly ProvidedPort[] | undefined
  readonly observer?: Observer | undefined
  readonly plugins?: Plugins
  /** Signs what webhooks are sent: one secret, both while one is being replaced, or those of each team. */
  readonly webhookSecret?: Secrets | ((team: string) => Secrets) | undefined
  /** Where jobs tell of themselves that were given no webhook; `{{JOB_ID}}` in it stands for the id of the job. */
  readonly webhook?: string | undefined
  /** Private addresses that may be visited: `CIDR` or `CIDR:port`. None when absent. */
  readonly allowPrivate?: readonly string[] | undefined
  /** How the engine names itself to every host, as `Name/1.0 (+https://…)`; as a usual browser when absent. */
  readonly userAgent?: string | undefined
  /** Sent to the host of every page; those of a request go before them. They leave the cache in use. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Which pages are asked for in robots.txt first: those of `crawls`, which may say otherwise; `always`; or `never`. */
  readonly robots?: RobotsPolicy | undefined
  /** Bounds of time, memory and work at once. */
  readonly limits?: Partial<EngineLimits> | undefined
  /** How long things are kept. */
  readonly keep?: Partial<EngineKeeping> | undefined
  /** What requests ask for that say nothing. */
  readonly defaults?: Partial<RequestDefaults> | undefined
}

export type HistoryInput = Readonly<z.input<typeof historySchema>>
export type DiffInput = Readonly<z.input<typeof diffSchema>>

export type Secrets = string | readonly string[]

/** How one request is carried out, beside what it asks for. */
export interface Call extends TeamCall {
  readonly signal?: AbortSignal | undefined
  /** The version of the API that is used, for the activity. */
  readonly apiVersion?: string | undefined
  /** Keeps the document, so that `results.find` gives it later. */
  readonly keep?: boolean | undefined
  /** For servers: the address before the ids of files, which the document then has instead of their bytes. */
  readonly filesAt?: string | undefined
  /** Adds `explain` to the document: what was decided on the way, and why. */
  readonly explain?: boolean | undefined
  /**
   * For servers that only print the document: large values in it may be text already, made in a thread. `JSON.stringify`
   * prints them as what they are, and `jsonPieces` without reading them.
   */
  readonly encoded?: boolean | undefined
}

/** What core itself can be asked for. */
export type OwnKind = 'scrape' | 'crawl' | 'batch' | 'map' | 'search'

/** What a price can be asked for: that, and the kinds of jobs that plugins bring, by name. */
export type PreviewKind<Plugins extends readonly Plugin[] = readonly Plugin[]> = OwnKind | JobsOf<Plugins>['kind']

/** How a search is carried out, beside what it asks for. */
export type SearchCall = Omit<Call, 'explain' | 'encoded'>

/** The doors for requests that come from elsewhere: each request is checked, whatever it is. */
export interface UncheckedDoors extends UncheckedJobs, UncheckedKinds {
  scrape(request: unknown, call?: Call): Promise<AnyDocument>
  parse(bytes: Uint8Array, request?: unknown, call?: Call): Promise<AnyDocument>
  map(request: unknown, call?: MapCall): Promise<MapResult>
  search(request: unknown, call?: SearchCall): Promise<SearchResult>
}

/** What pages were, as scrapes with `changeTracking` saw it. */
export interface EngineChanges {
  /** The versions of a page: `{ url, tag }`. */
  history(request: HistoryInput, call?: Pick<Call, 'team'>): Promise<PageHistory>
  /** How two versions of a page differ: `{ url, tag, from, to }`; the newest two when nothing is said. */
  diff(request: DiffInput, call?: Pick<Call, 'team'>): Promise<PageDiff>
}

/** What is remembered of hosts: that the pages of one go to the browser at once. */
export interface EngineHosts {
  /** By the address of a page. */
  find(url: string, call?: Pick<Call, 'team'>): Promise<KnownHost | undefined>
  forget(url: string, call?: Pick<Call, 'team'>): Promise<void>
}

/** What scrapes have kept. */
export interface EngineResults {
  /** A document, by its `metadata.scrapeId`. */
  find(id: string, call?: Pick<Call, 'team' | 'encoded'>): Promise<AnyDocument>
  /** A picture or a PDF, by its id or by an address that is one (`urn:uuid:…`). */
  file(id: string, call?: Pick<Call, 'team'>): Promise<Blob>
}

/** What an engine can be asked, and what the features of its plugins add. */
export type Engine<Plugins extends readonly Plugin[] = readonly Plugin[]> = CoreEngine<Plugins> & FeaturesOf<Plugins>

/** What every engine can be asked. */
export interface CoreEngine<Plugins extends readonly Plugin[] = readonly Plugin[]> extends ByKind<Plugins> {
  /** The names of its plugins. */
  readonly plugins: { readonly [Index in keyof Plugins]: string }
  /** Loads a page and gives its content in the formats asked for. */
  scrape<const Formats extends FormatList<Plugins> = never>(
    request: ScrapeInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: Call,
  ): Promise<DocumentOf<Plugins, Formats>>
  /** Reads a file that you have, HTML, PDF or of an office, and gives its content as a scrape would. Nothing is loaded. */
  parse<const Formats extends FormatList<Plugins> = never>(
    bytes: Uint8Array,
    request?: ParseInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: Call,
  ): Promise<DocumentOf<Plugins, Formats>>
  /** Visits a site, page by page. */
  crawl<const Formats extends FormatList<Plugins> = never>(
    request: CrawlInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: JobCall,
  ): Promise<Crawl<DocumentOf<Plugins, Formats>>>
  /** Loads many pages. */
  batch<const Formats extends FormatList<Plugins> = never>(
    request: BatchInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: JobCall,
  ): Promise<Batch<DocumentOf<Plugins, Formats>>>
  /** Finds the addresses of a site. */
  map(request: MapInput, call?: MapCall): Promise<MapResult>
  /** Finds pages by words. With formats in `scrapeOptions`, each result has the content of its page. */
  search<const Formats extends FormatList<Plugins> = never>(
    request: SearchInput<FormatsOf<Plugins>, ActionsOf<Plugins>, Formats>,
    call?: SearchCall,
  ): Promise<SearchResult<DocumentOf<Plugins, Formats>>>
  /** The same doors for requests that come from elsewhere. */
  readonly unchecked: UncheckedDoors
  /** Crawls, batches and all other jobs, when they are there. */
  readonly jobs: JobDoors<Plugins>
  /** Versions of pages, and how they differ. */
  readonly changes: EngineChanges
  /** Documents and files that were kept. */
  readonly results: EngineResults
  /** What is remembered of hosts. */
  readonly hosts: EngineHosts
  readonly schemas: {
    readonly scrape: ScrapeSchema
    readonly parse: FileSchema
    readonly document: z.ZodType
    readonly map: typeof mapSchema
    readonly search: ReturnType<typeof searchSchema>
  } & JobSchemas
  /**
   * Whether what is kept now will be there later, in the store and in the place for files. Rejects with `store_failed`, whose
   * details may name the `reason`.
   */
  checkStore(): Promise<void>
  /** The credits of teams. */
  readonly ledger: Ledger
  /** What a team has left, and what it has used, by day and month and by key. */
  usage(call?: Pick<Call, 'team'>): Promise<Account>
  /** What a request would cost, and why; nothing of it is done. */
  preview(kind: PreviewKind<Plugins>, request: unknown): Preview
  /**
   * For servers: lets a request in, or refuses it, before its body is read. Hand what it gives on as `admitted` of the
   * call: without it the engine asks by itself. Rejects with `scope_missing`, or with what a gate says.
   */
  readonly admit: ServerDoor
  /** What this engine can do, by name. */
  capabilities(): Capabilities
  /** The bounds it works within, defaults filled in. */
  readonly limits: EngineLimits
  /** Ends what is running, and closes what the engine opened; what it was given stays open. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What an engine can do, by name. */
export interface Capabilities {
  readonly formats: Readonly<Record<string, boolean>>
  readonly actions: readonly string[]
  readonly loaders: readonly string[]
  readonly parsers: Readonly<Record<string, readonly string[]>>
  readonly ports: readonly string[]
  /** What can be asked of it, as the activity calls it. */
  readonly endpoints: readonly string[]
}
