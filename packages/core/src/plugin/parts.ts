import type { DocumentBound } from '@harvestman/threads'
import type { Resolver } from '@harvestman/net'
import type { Browser, Clock, Fetcher, Guard, Json, LLM, MakeBrowser, MakeFetcher } from '@harvestman/ports'
import type { MakeSessions, Proxies, Proxy, Search, Tab, Value } from '@harvestman/ports'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Action, BrowserNeeds, PlannedAction } from './action.ts'
import type { Policy } from './policy.ts'
import type { Feature } from './feature.ts'
import type { Field, Format, Keeper, ReadMore } from './field.ts'
import type { Gate } from './gate.ts'
import type { JobPart } from './job.ts'
import type { PluginStore } from './store.ts'

/** A way to turn a URL into a page. */
export interface Loader {
  readonly name: string
  /** Cheaper ones are tried first. */
  readonly cost: number
  /** Capabilities beyond fetching: the plan picks only loaders that offer all it needs. */
  readonly offers: readonly Capability[]
  /** The schemes of addresses that it loads, in lower case: `archive` for `archive://…`. The web when absent. */
  readonly schemes: readonly string[]
  readonly accepts: (url: URL) => boolean
  readonly load: (job: LoadJob, kit: LoaderKit) => Promise<Page | Pass>
}

/** Things a plan can need of a loader. */
export type Capability = 'actions' | 'capture' | 'mobile' | 'wait' | 'scripts' | 'proxy'

/** Request to a loader. */
export interface LoadJob {
  readonly url: URL
  readonly request: ScrapeRequest
  /** Headers for the host of the address, beside the usual: those of the engine and of the request. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers by which the host tells whether a kept copy is still the page: it then answers 304. A loader may leave them out. */
  readonly validators?: Readonly<Record<string, string>> | undefined
  readonly captures: readonly Capture[]
  readonly actions: readonly PlannedAction[]
  /** Browser features that the captures, the actions and the request need together. */
  readonly browserNeeds: BrowserNeeds
  readonly signal: AbortSignal
  /** Milliseconds that are left for the whole document. */
  readonly timeLeft: () => number
  /** For actions that read the page as it stands. */
  readonly read: ReadMore
  /** The largest body. */
  readonly maxBytes: number
  /** Bound of the document: what is brought beside the body is counted when it is brought. */
  readonly most: DocumentBound
  /** Rejects where the page may not lead by itself; to be asked before anything is sent there. Absent where all may be visited. */
  readonly mayVisit?: ((url: URL) => Promise<void>) | undefined
  /** A loader that offers `proxy` must go through it. */
  readonly proxy?: Proxy | undefined
  /** The team that the page is loaded for. */
  readonly team: string
  /** Store of the plugin for this team. */
  readonly store: PluginStore
  /** Names the work that this page is a part of. Its pages may share what a browser keeps between them. */
  readonly group?: string | undefined
}

/** Something to bring from the live page for the format of this name. */
export interface Capture {
  readonly name: string
  readonly options: unknown
  readonly run: (tab: Tab, signal: AbortSignal) => Promise<unknown>
}

/** The doors to the outside a loader may use; all of them are guarded. */
export interface LoaderKit {
  readonly fetcher: Fetcher
  readonly browser: Browser | undefined
  readonly guard: Guard
  readonly clock: Clock
}

/** A loaded page: the response, as it came over the wire. */
export interface Page {
  readonly url: string
  readonly status: number
  /** Lower-case names; repeats joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** `OwnedBytes` when the loader made them anew and holds them no more: large ones then move to the thread that reads them. */
  readonly body: Uint8Array
  readonly captured: Readonly<Record<string, unknown>>
  /** Results of the actions, by kind. */
  readonly actions: Readonly<Record<string, readonly Value[]>>
  readonly proxyUsed: 'basic' | 'stealth'
  /** Milliseconds from asking for `url` to the first of its answer. Absent when the loader cannot tell. */
  readonly latency?: number | undefined
  /** True when the scripts of the page were run. Default: false. */
  readonly ranScripts?: boolean
  readonly warnings: readonly string[]
}

/** A loader that is not the right one says so, and the next is tried. */
export interface Pass {
  readonly pass: string
}

/** Reads one family of files. */
export interface Parser {
  readonly name: string
  /** Media types without parameters; a `*` at the end stands for any rest. */
  readonly accepts: readonly string[]
  readonly parse: (bytes: Uint8Array, context: ParseContext) => Promise<Content> | Content
  /** True when its result depends on the bytes and the request alone, not on the time left: it is not asked twice. */
  readonly fromPageAlone?: boolean | undefined
  /** The most `units` that it gives for a file, by which the price of a request is known before; 1 when absent. */
  readonly maxUnits?: ((request: ScrapeRequest) => number) | undefined
}

/** Context of a parser, beside the bytes. */
export interface ParseContext {
  readonly url: string
  readonly type: string
  readonly contentType: string | undefined
  readonly request: ScrapeRequest
  /** The team that the page is read for. */
  readonly team: string
  /** Store of the plugin for this team. */
  readonly store: PluginStore
  readonly signal: AbortSignal
  /** Bound of the document: a thread that reads the file is told it, and gives no more. */
  readonly most: DocumentBound
  /** Milliseconds until the signal ends the request; the formats that are made of the content need some of them. */
  readonly timeLeft: () => number
}

/** Result of a parser. Fields that it gives itself are not read from the HTML. */
export interface Content {
  /** The page as text, or as bytes still to be decoded. */
  readonly html?: string | EncodedText
  /** A file of text that is no HTML, still to be decoded; what is made of it is made in a thread, as it is of HTML. */
  readonly text?: PlainText
  readonly markdown?: string
  readonly rawHtml?: string
  /** All of the HTML is content: a file has no menus around its text, so no main part is chosen. */
  readonly isWhole?: boolean
  readonly metadata?: Readonly<Record<string, Json>>
  /** Pages that were read, where the type has pages: each is paid for. */
  readonly units?: number
  readonly warnings?: readonly string[]
}

/** Form of a text file in Markdown: as it stands, in a fence, as a table; or its bytes as base64. */
export type TextFileKind = 'plain' | 'json' | 'xml' | 'code' | 'table' | 'table of tabs' | 'base64'

/** A file of text, and how it is written as Markdown. */
export interface PlainText extends EncodedText {
  readonly kind: TextFileKind
}

export interface EncodedText {
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
}

/** A set of parts under one name. */
export interface Plugin<
  Formats extends readonly Format[] = readonly Format[],
  Actions extends readonly Action[] = readonly Action[],
  Jobs extends readonly JobPart[] = readonly JobPart[],
  Features extends readonly Feature[] = readonly Feature[],
> {
  readonly name: string
  readonly formats: Formats
  readonly actions: Actions
  readonly loaders: readonly Loader[]
  readonly parsers: readonly Parser[]
  readonly fields: readonly Field[]
  readonly keepers: readonly Keeper[]
  readonly policies: readonly Policy[]
  /** Gates that let requests in, asked in this order. */
  readonly gates: readonly Gate[]
  /** Kinds of jobs. */
  readonly jobs: Jobs
  /** Properties of the engine. */
  readonly features: Features
  /** Services for ports that only plugins give. Every `ports` receives them, whatever the order of the plugins. */
  readonly gives: Partial<Pick<EnginePorts, 'sessions'>>
  /** Stands between the engine and its ports: gives what the engine uses in their place. Runs once, in the order of the plugins. */
  readonly ports: ((given: EnginePorts) => Partial<EnginePorts>) | undefined
  /** Runs once, before the first work of the engine. While it fails, work fails, and it is tried again with the next. */
  readonly open: ((context: PluginContext) => Promise<void> | void) | undefined
  /** Runs when the engine is closed, if `open` has run or there is none; no part of the plugin is called after it. */
  readonly close: (() => Promise<void> | void) | undefined
}

/** Ports of an engine: the services that connect it to the outside. */
export interface EnginePorts {
  readonly fetcher: MakeFetcher
  readonly browser: MakeBrowser | undefined
  /** Opens live browsers, where a plugin gives that. */
  readonly sessions: MakeSessions | undefined
  /** Picks the proxies of `proxy: basic`, `enhanced` and `auto`. Without it, hosts are asked directly. */
  readonly proxies: Proxies | undefined
  readonly llm: LLM | undefined
  /** The search behind `search`: of the web, or of the pages that were scraped. */
  readonly search: Search | undefined
  readonly clock: Clock
  /** Resolver of host names. */
  readonly resolver: Resolver
  /** Makes the ids of requests. */
  readonly newId: () => string
}

/** Context of a plugin when it opens with its engine. */
export interface PluginContext {
  readonly fetcher: Fetcher
  readonly guard: Guard
  readonly clock: Clock
  /** Returns the store of the plugin for a team. */
  store(team: string): PluginStore
  /** Tells the host of the engine. */
  warn(message: string): void
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal
}
