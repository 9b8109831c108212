import type { z } from 'zod'

import type { Clock, ErrorCode, Json, Tab, Usage } from '@harvestman/ports'
import type { Claim } from '../schema/citation.ts'
import type { OmittedPart } from '../schema/omitted.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { EndpointGroup } from '../schema/team.ts'
import type { PlacedBlock } from '../schema/file-place.ts'
import type { Port, PortMap, ServicesOf } from './port.ts'
import type { KeptCopy, RevisitChoice, Revisited } from './revisit.ts'
import type { PluginStore } from './store.ts'

/** A value that is computed at most once per page, and the fields that it is computed from. */
export interface Field<Name extends string = string, Value = unknown> {
  readonly name: Name
  readonly needs: FieldMap
  derive(needs: unknown, context: unknown): Value | Promise<Value>
  /** Set on fields that are read directly from the parsed page in the reader thread. Returns the options of the reading. */
  readonly read?: (request: ReadingRequest) => Json
  /** Plugin module that does the reading; `undefined` for the engine's own readings. */
  readonly module?: ReadingModule
  /**
   * True if the value depends only on `needs` and the options, and computing it has no side effects. A value computed from a
   * cached page is then reused. Not for derivations that call a model, read the clock or read earlier results.
   */
  readonly fromPageAlone?: boolean | undefined
  /** True if the value follows `redactPII` of the request. */
  readonly redacts?: boolean | undefined
}

/** Plugin module that implements a reading. */
export interface ReadingModule {
  /** Name of the reading, for messages. */
  readonly reading: string
  /** URL of the file. */
  readonly href: string
  /** Name of the exported function. */
  readonly function: string
  /** Imports the module on the calling thread, for small pages. */
  readonly inPlace?: (() => Promise<object>) | undefined
}

/** A reading of a plugin. A format lists it in `needs`, or passes it to `read` or `load`. */
export interface PageReading<Value = unknown> extends Field<string, Value> {
  readonly read: (request: ReadingRequest) => Json
  readonly module: ReadingModule
}

/** Runs another reading on the HTML of a page, in the reader thread. */
export type ReadMore = (
  page: { readonly url: string; readonly html: string },
  reading: string | PageReading,
  options: Json,
) => Promise<unknown>

/** A scrape request without its URL. */
export type ReadingRequest = Omit<ScrapeRequest, 'url'>

/** A further page that a format requests, and the reading to run on it. */
export interface WantedPage {
  readonly url: string
  readonly reading: string | PageReading
  readonly options: Json
}

/** Result of reading a further page. */
export interface FurtherPage {
  /** URL after redirects. */
  readonly url: string
  readonly status: number
  readonly value: unknown
}

/** Loads a further page. `signal` cancels only this page. */
export type LoadFurther = (page: WantedPage, signal?: AbortSignal) => Promise<FurtherPage>

/** Fields by the names that a part has chosen for them. */
export type FieldMap = Readonly<Record<string, Field>>

/** Type of the value of a field. */
export type ValueOf<F> = F extends Field<string, infer Value> ? Awaited<Value> : never

/** Types of the values of several fields. */
export type ValuesOf<Needs extends FieldMap> = { readonly [K in keyof Needs]: ValueOf<Needs[K]> }

/** Context of a derivation, in addition to the fields it needs. */
export interface DeriveContext<Options = unknown, Ports extends PortMap = PortMap, Uses extends PortMap = PortMap> {
  readonly options: Options
  readonly request: ScrapeRequest
  readonly page: {
    readonly url: string
    readonly status: number
    /** Header names in lower case. */
    readonly headers: Readonly<Record<string, string>>
    /** True if no page of the site links to it any more, and the crawl knows it from an earlier crawl. */
    readonly isUnlinked: boolean
    /** How the page was revisited; absent if it had no cached copy to consider. */
    readonly revisited?: Revisited | undefined
  }
  /** Id of the job that the page belongs to, if any. */
  readonly job?: string | undefined
  /** Result of `capture` on the live page. */
  readonly captured: unknown
  /** Services of the ports in `requires`, and of the ports in `uses` that the engine has. */
  readonly ports: ServicesOf<Ports> & { readonly [Name in keyof Uses]: ServicesOf<Uses>[Name] | undefined }
  /** Team of the scrape. */
  readonly team: string
  /** Idempotency key of the scrape: the same for every retry and after restarts. */
  readonly task: string
  /** The plugin's store for this team, including data of earlier scrapes. */
  readonly store: PluginStore
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly read: ReadMore
  /**
   * Returns the value of another requested format, or `undefined` if it was not requested. Two formats must not await each
   * other.
   */
  readonly formatValue: (format: string) => Promise<unknown>
  /** Loads a further page in the same way as this one. Only for formats with `loads`. */
  readonly load: LoadFurther
  /** Returns the milliseconds until the request times out. */
  readonly timeLeft: () => number
  /**
   * Returns the blocks of a file that has pages, in the order of the Markdown, for `placesOf`. Empty if they are not known: they are
   * if a format `locates` passages, with the option `blocks` of a parser, and in a scrape with `explain`.
   */
  readonly blocksInFile: (markdown: string) => Promise<readonly PlacedBlock[]>
  /** Adds a sentence to the warning of the document. */
  warn(sentence: string): void
  /** Adds to `claims` of the document. */
  cite(claims: readonly Claim[]): void
  /** Adds to `omitted` of the document. */
  omit(parts: readonly OmittedPart[]): void
  /** Records how the value was obtained, for `explain.formats` in the document. */
  explain(facts: Json): void
  /** Reports the usage of a language model, for the price. May be called more than once. */
  use(usage: Usage): void
}

/** Context of `keep`, for a format that stores data. */
export interface KeepContext<Options = unknown, Needs extends FieldMap = FieldMap, Ports extends PortMap = PortMap> {
  readonly options: Options
  /** Values of the fields in `needs` that the value was computed from. */
  readonly needs: ValuesOf<Needs>
  readonly ports: ServicesOf<Ports>
  readonly request: ScrapeRequest
  readonly page: {
    readonly url: string
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly revisited?: Revisited | undefined
  }
  readonly team: string
  /** Id of the scrape. */
  readonly id: string
  /** Id of the job that the page belongs to, if any. */
  readonly job?: string | undefined
  /** Idempotency key of the scrape: the same for every retry and after restarts. */
  readonly task: string
  readonly store: PluginStore
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Stores data about every page that may be cached, whichever formats are requested. Skipped for requests with `headers`,
 * `actions`, credentials in the URL, `storeInCache: false` or `zeroDataRetention`.
 */
export interface Keeper<Name extends string = string, Needs extends FieldMap = FieldMap> extends Field<
  Name,
  ValuesOf<Needs>
> {
  /** True to run only for pages of jobs. */
  readonly ofJobs?: boolean | undefined
  /** Tag under which crawls record the pages that they find. A format whose `follows` returns it revisits these pages. */
  readonly notes?: string | undefined
  /** Stores the data. May run again for the same task, so it must be idempotent. */
  keep(values: unknown, context: KeeperContext): Promise<void>
}

/** Context in which a format decides how to visit a page that has a cached copy. */
export interface RevisitContext {
  /** Requested URL. */
  readonly url: string
  readonly job: string | undefined
  /** The plugin's store for the team. */
  readonly store: PluginStore
  readonly clock: Clock
}

/** Context of a keeper. */
export type KeeperContext = Omit<KeepContext, 'options' | 'needs' | 'ports'>

/** A field with a public name that users list in `formats`. Bytes are stored as a file, and the document has its URL. */
export interface Format<
  Type extends string = string,
  Options extends z.ZodObject = z.ZodObject,
  Value = unknown,
  Alias extends string = string,
  Fits extends string = string,
  As extends string = string,
  OneOf extends string = string,
> extends Field<Type, Value> {
  readonly type: Type
  /** Property of the document that has the value. */
  readonly as: As
  /** Returns the properties of the document that have the value, if the options choose others than `as`. */
  propertiesFor?(options: unknown): readonly string[]
  /** The field whose value is passed on unchanged. */
  readonly is: Field | undefined
  readonly options: Options
  /**
   * Returns a function that shortens the value for the document, or `undefined` if these options do not limit it. Other fields and
   * `keep` receive the whole value.
   */
  shorten?(options: unknown): ((value: unknown, context: unknown) => unknown) | undefined
  /** Schema of the value, for the API documentation. */
  readonly value: z.ZodType | undefined
  /** Required ports. Requests for the format are rejected without them. */
  readonly requires: PortMap
  /** Optional ports. */
  readonly uses: PortMap
  /** Returns the additional ports that these options require. */
  requiresFor(options: unknown): readonly Port[]
  /**
   * Returns the tag under which pages are tracked over time. Requests with such a format never use the cache, and crawls
   * revisit each page recorded under the tag, even if nothing links to it any more.
   */
  follows?(options: unknown): string | null
  /** Returns options that compare pages with an earlier time or job. Implements the crawl option `since`. */
  since?(since: string): object
  /** Decides how to visit a page that has a cached copy. Without it, every page is loaded. */
  revisit?(copy: KeptCopy, context: RevisitContext, options: unknown): Promise<RevisitChoice>
  /** Minimum timeout in milliseconds, used if the request does not set `timeout`. */
  readonly minTimeout: number
  /** Alternative names of the format in requests, with the options that each implies. */
  readonly aliases: Readonly<Record<Alias, Readonly<Record<string, unknown>>>>
  /** Top-level option in which older requests pass the options of this format, such as `jsonOptions`. */
  readonly optionsUnder: string | undefined
  /** Option with the JSON Schema of the value. If a schema of a library such as zod is passed there, the value has its type. */
  readonly valueFits: Fits | undefined
  /** Options of which at least one is required. */
  readonly oneOf: readonly OneOf[]
  /** Formats that must be requested together with this one. */
  readonly accompanies: readonly string[]
  /** Endpoint group that does the same as this format. Keys need it in their scopes as well. */
  readonly group: EndpointGroup | undefined
  /**
   * True if the value is the body of the response. Such a format is requested alone, the page is loaded without scripts, and it
   * is neither taken from the cache nor cached.
   */
  readonly isRaw: boolean
  /** Checks rules between options. Returns an error message, or `undefined` if they are valid. */
  check(options: unknown): string | undefined
  capture?(tab: Tab, options: unknown, signal: AbortSignal): Promise<unknown>
  /** Error code if the engine has no browser or the URL is a file, in place of the general codes. */
  readonly captureFailure: ErrorCode | undefined
  /** Effect of a failure or a timeout of the format: `fail` rejects the scrape, `warn` omits the value with a warning. */
  readonly onFailure: 'fail' | 'warn'
  /** Stores data once the document is complete. May run again for the same task, so it must be idempotent. */
  keep?(value: unknown, context: unknown): Promise<void>
  /** Returns whether these options use `blocksInFile`. The parser then reads the blocks, which are free and not in the document. */
  locates?(options: unknown): boolean
  /** Maximum number of further pages to load. Each is charged like a page. */
  loads?(options: unknown): number
  /** Credits on top of the price of the page. Without the value, the minimum before it is computed. */
  credits(options: unknown, usage: Usage, value?: unknown): number
  /** Maximum of `credits`, if they depend on the usage or the value. This amount is reserved before the work. */
  creditsAtMost?(options: unknown): number
}
