import type { z } from 'zod'

import type { Clock, Json, Tab, Usage } from '@harvestman/ports'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { EndpointGroup } from '../schema/team.ts'
import type { Port, PortMap, ServicesOf } from './port.ts'
import type { KeptCopy, RevisitChoice, Revisited } from './revisit.ts'
import type { PluginStore } from './store.ts'

/** A value worked out from a page, at most once, and the fields it is worked out from. */
export interface Field<Name extends string = string, Value = unknown> {
  readonly name: Name
  readonly needs: FieldMap
  derive(needs: unknown, context: unknown): Value | Promise<Value>
  /** Set on fields that are read straight from the tree of the page, off the main thread. Gives the options of the reading. */
  readonly read?: (request: ReadingRequest) => Json
  /** Module of a plugin that reads it; absent for readings of the engine. */
  readonly module?: ReadingModule
  /**
   * Its value follows from what it needs and from the options alone, and nothing is told or left behind on the way: what was
   * made of a kept page is given again. So it is not for what asks a model, looks at the clock or at what was kept before.
   */
  readonly fromPageAlone?: boolean | undefined
}

/** Module of a reading. */
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

/** Reads more from the text of a page, in the thread that reads pages. */
export type ReadMore = (
  page: { readonly url: string; readonly html: string },
  reading: string | PageReading,
  options: Json,
) => Promise<unknown>

/** A request without its address: what it asks of any page. */
export type ReadingRequest = Omit<ScrapeRequest, 'url'>

/** A further page that a format asks for, and the reading of it that it takes. */
export interface WantedPage {
  readonly url: string
  readonly reading: string | PageReading
  readonly options: Json
}

/** Result of reading a further page. */
export interface FurtherPage {
  /** Address of the page after redirects. */
  readonly url: string
  readonly status: number
  readonly value: unknown
}

/** Loads a further page. An own signal ends the loading of it alone. */
export type LoadFurther = (page: WantedPage, signal?: AbortSignal) => Promise<FurtherPage>

export type FieldMap = Readonly<Record<string, Field>>

export type ValueOf<F> = F extends Field<string, infer Value> ? Awaited<Value> : never

export type ValuesOf<Needs extends FieldMap> = { readonly [K in keyof Needs]: ValueOf<Needs[K]> }

/** Context of a derivation, beside the fields it needs. */
export interface DeriveContext<Options = unknown, Ports extends PortMap = PortMap, Uses extends PortMap = PortMap> {
  readonly options: Options
  readonly request: ScrapeRequest
  readonly page: {
    readonly url: string
    readonly status: number
    /** Nothing on its site leads to the page any more: a crawl knows it from earlier ones. */
    readonly isUnlinked: boolean
    /** The way the page was visited; absent when no kept copy was considered. */
    readonly revisited?: Revisited | undefined
  }
  /** The job that the page belongs to, if any. */
  readonly job?: string | undefined
  /** Result of `capture` on the live page. */
  readonly captured: unknown
  /** Services of the ports in `requires`, and of those in `uses` that the engine has. */
  readonly ports: ServicesOf<Ports> & { readonly [Name in keyof Uses]: ServicesOf<Uses>[Name] | undefined }
  /** The team that the scrape is for. */
  readonly team: string
  /** Key of the scrape: the same in every try, and after every restart. */
  readonly task: string
  /** Store of the plugin for this team: it holds what earlier scrapes left. */
  readonly store: PluginStore
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly read: ReadMore
  /** The value of another format of the request; nothing where it asks for none of this name. No two may wait for each other. */
  readonly given: (format: string) => Promise<unknown>
  /** Loads a further page as this one was loaded, for a format that `loads` some. */
  readonly load: LoadFurther
  /** Milliseconds until the signal ends the request. */
  readonly timeLeft: () => number
  /** Adds a sentence to the warning of the document. */
  warn(sentence: string): void
  /** Says how the value came about, for who asked why: it stands in `explain.formats`. */
  explain(facts: Json): void
  /** Reports what a language model used, for the price. May be called more than once. */
  use(usage: Usage): void
}

/** Context of `keep`, for a format that leaves something behind. */
export interface KeepContext<Options = unknown, Needs extends FieldMap = FieldMap, Ports extends PortMap = PortMap> {
  readonly options: Options
  /** Values of the needed fields that the value was worked out from. */
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
  /** The id of the scrape. */
  readonly id: string
  /** The job that the page belongs to, if any. */
  readonly job?: string | undefined
  /** The key of this piece of work: the same in every try, and after every restart. */
  readonly task: string
  readonly store: PluginStore
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Leaves something behind of every page that may be kept as a copy, whatever a request asks for: not of one with headers or
 * actions of its own, nor with `storeInCache: false` or `zeroDataRetention`.
 */
export interface Keeper<Name extends string = string, Needs extends FieldMap = FieldMap> extends Field<
  Name,
  ValuesOf<Needs>
> {
  /** It is about pages of jobs alone. */
  readonly ofJobs?: boolean | undefined
  /** Crawls note under this name which pages they have found. A format that `follows` it looks at them again. */
  readonly notes?: string | undefined
  /** It may run again for the same task, and must then leave the same. */
  keep(values: unknown, context: KeeperContext): Promise<void>
}

/** Context in which a format decides how to visit a page with a kept copy. */
export interface RevisitContext {
  /** The address that was asked for. */
  readonly url: string
  readonly job: string | undefined
  /** Store of the plugin for the team. */
  readonly store: PluginStore
  readonly clock: Clock
}

/** Context of a keeper that belongs to no format. */
export type KeeperContext = Omit<KeepContext, 'options' | 'needs' | 'ports'>

/** A field with a public name: what users list in `formats`. A value of bytes is a file: the document has its address. */
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
  /** The name of the value in the document. */
  readonly as: As
  /** The field whose value it has, as it is. */
  readonly is: Field | undefined
  readonly options: Options
  /** Describes the value in the API's documentation. */
  readonly value: z.ZodType | undefined
  /** Ports without which the format cannot be planned. */
  readonly requires: PortMap
  /** Ports that it makes use of where the engine has them. */
  readonly uses: PortMap
  /** Returns which of these ports it cannot do without for these options. */
  requiresFor(options: unknown): readonly Port[]
  /**
   * Follows a page through time under this name: only the page as it is now will do, and crawls look again at each page that
   * they have found under the name, also when nothing leads to it any more.
   */
  follows?(options: unknown): string | null
  /** The options with which it compares pages with how they were at a time or in a job: it stands for `since` of a crawl. */
  since?(since: string): object
  /** Decides how a page is visited of which a copy is kept. Each page is loaded without it. */
  revisit?(copy: KeptCopy, context: RevisitContext, options: unknown): Promise<RevisitChoice>
  /** Milliseconds that a request has at least, when it leaves its timeout to us. */
  readonly leastTimeout: number
  /** Other words for this format in a request, with the options they stand for. */
  readonly aliases: Readonly<Record<Alias, Readonly<Record<string, unknown>>>>
  /** The name of a top-level option that older requests keep this format's options under. */
  readonly optionsUnder: string | undefined
  /** The option with the JSON Schema that the value fits. Given a schema of a library there, the value has its type. */
  readonly valueFits: Fits | undefined
  /** Options of which it needs one: its name alone asks for nothing. */
  readonly oneOf: readonly OneOf[]
  /** Formats that must be asked for together with this one. */
  readonly accompanies: readonly string[]
  /** The group of endpoints that does the same: a key needs it in its scopes as well. */
  readonly group: EndpointGroup | undefined
  /** Rules between options: a sentence about what is wrong, or nothing. */
  check(options: unknown): string | undefined
  capture?(tab: Tab, options: unknown, signal: AbortSignal): Promise<unknown>
  /** Effect of a fault of this format, or of an endless derivation: fail the scrape, or just leave the format out. */
  readonly onFailure: 'fail' | 'warn'
  /** Leaves something behind, once the document is made. It may run again for the same task, and must then leave the same. */
  keep?(value: unknown, context: unknown): Promise<void>
  /** The most further pages that it loads. Each costs what a page costs. */
  loads?(options: unknown): number
  /** Credits on top of the price of the page. */
  credits(options: unknown, usage: Usage): number
  /** The most they can be, where they depend on the usage: so much is set aside before the work. */
  creditsAtMost?(options: unknown): number
}
