import type { DocumentBound } from '@harvestman/threads'
import type { Resolver } from '@harvestman/net'
import type { Browser, Clock, ErrorCode, Fetcher, Guard, Json, LLM, MakeBrowser, MakeFetcher } from '@harvestman/ports'
import type { HiddenMarks, MakeSessions, Proxies, Proxy, Search, Tab, Value } from '@harvestman/ports'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Action, BrowserNeeds, PlannedAction } from './action.ts'
import type { Policy } from './policy.ts'
import type { Feature } from './feature.ts'
import type { Field, Format, Keeper, ReadMore } from './field.ts'
import type { Gate } from './gate.ts'
import type { JobPart } from './job.ts'
import type { Port, ProvidedPort } from './port.ts'
import type { PluginStore } from './store.ts'

/** A way to turn a URL into a page. */
export interface Loader {
  readonly name: string
  /** Loaders with a lower cost are tried first. */
  readonly cost: number
  /** Capabilities beyond plain fetching. Only loaders with every capability that a plan needs are used. */
  readonly offers: readonly Capability[]
  /** URL schemes that it loads, in lower case: `archive` for `archive://…`. `defineLoader` defaults to `http` and `https`. */
  readonly schemes: readonly string[]
  readonly accepts: (url: URL) => boolean
  /**
   * Signals of the blocks that it may get past. It is then used only after one of these, or on a host where it got past one
   * before. It has at most 8 seconds, and if it fails, the next loader is used, unless the URL may not be loaded. Absent for a
   * loader that is used for every page.
   */
  readonly onlyAfter?: readonly Block['signal'][]
  readonly load: (job: LoadJob, kit: LoaderKit) => Promise<Page | Pass>
}

/** A capability that a plan can require of a loader. */
export type Capability = 'actions' | 'capture' | 'mobile' | 'wait' | 'scripts' | 'proxy' | 'profile'

/** Request to a loader. */
export interface LoadJob {
  readonly url: URL
  readonly request: ScrapeRequest
  /** Headers for the host of the URL in addition to the default ones, from the engine and the request. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Conditional headers. The host responds with 304 if the cached copy is still current. A loader may ignore them.
   */
  readonly validators?: Readonly<Record<string, string>> | undefined
  readonly captures: readonly Capture[]
  readonly actions: readonly PlannedAction[]
  /** Browser features that the captures, the actions and the request need together. */
  readonly browserNeeds: BrowserNeeds
  readonly signal: AbortSignal
  /** Returns the milliseconds left for the complete document. */
  readonly timeLeft: () => number
  /** For actions that read the page in its current state. */
  readonly read: ReadMore
  /** Maximum size of the body in bytes. */
  readonly maxBytes: number
  /** Size limit of the document. Captures and action results count toward it as soon as they are taken. */
  readonly most: DocumentBound
  /**
   * Rejects if a redirect or a navigation to this URL is forbidden. Call it before the request is sent. Absent if all are
   * allowed.
   */
  readonly mayVisit?: ((url: URL) => Promise<void>) | undefined
  /** Returns why a response is not the requested page, if the host blocked it. */
  readonly blockOf: (response: Pick<Page, 'url' | 'status' | 'headers' | 'body'>) => Block | undefined
  /** Cookies and storage that the page is loaded with. Absent without a profile, or if it is new. */
  readonly state?: Json | undefined
  /**
   * True with a profile: return the state with the cookies that responses have changed as `state` of the page, because the next
   * loader starts with it.
   */
  readonly passesState?: boolean | undefined
  /** True to return the cookies and storage after the actions, as `state` of the page. */
  readonly savesState?: boolean | undefined
  /** Proxy to use. A loader that offers `proxy` must send all requests through it. */
  readonly proxy?: Proxy | undefined
  /** Team that the page is loaded for. */
  readonly team: string
  /** The plugin's store for this team. */
  readonly store: PluginStore
  /** Identifies the work that the page belongs to. Pages of one group may share cookies, storage and cached files. */
  readonly group?: string | undefined
}

/** A value to read from the live page, for the format with this name. */
export interface Capture {
  readonly name: string
  readonly options: unknown
  readonly run: (tab: Tab, signal: AbortSignal) => Promise<unknown>
  /** Error code if there is no page to capture. */
  readonly failure?: ErrorCode | undefined
}

/** Access to the outside for loaders. All of it is guarded. */
export interface LoaderKit {
  readonly fetcher: Fetcher
  /** Fetcher with the TLS and the HTTP/2 of a browser. */
  readonly identityFetcher?: Fetcher | undefined
  readonly browser: Browser | undefined
  readonly guard: Guard
  readonly clock: Clock
}

/** A loaded page: the response as it was received. */
export interface Page {
  readonly url: string
  readonly status: number
  /** Header names in lower case; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Pass `OwnedBytes` if the loader no longer uses the buffer: a large one is then transferred to the reader thread, not
   * copied.
   */
  readonly body: Uint8Array
  readonly captured: Readonly<Record<string, unknown>>
  /** Results of the actions, by the list of the document's `actions` that they belong to. */
  readonly actions: Readonly<Record<string, readonly Value[]>>
  readonly proxyUsed: 'basic' | 'stealth'
  /** Milliseconds from the request for `url` to the first byte of the response. Absent if the loader cannot tell. */
  readonly latency?: number | undefined
  /** Why the page was read when it was, as a sentence. Absent if the loader did not wait for the page. */
  readonly readiness?: string | undefined
  /** True if the scripts of the page were run. Default: false. */
  readonly ranScripts?: boolean
  /** Elements that a visitor cannot see, of an HTML page in UTF-8. Absent if the loader does not know. */
  readonly hidden?: HiddenMarks | undefined
  /** The changed cookies and storage, if `passesState` or `savesState` requested them. */
  readonly state?: Json | undefined
  /** Why the host refused the page. Set it if the loader knows; otherwise the engine detects it. */
  readonly block?: Block | undefined
  readonly warnings: readonly string[]
}

/** Why a response is not the requested page. */
export interface Block {
  /**
   * - `wall`: the block page of a bot protection service, `wall`
   * - `challenge`: a script that must run, for example to set a cookie
   * - `address`: the IP address is banned
   * - `rate`: too many requests
   * - `captcha`: a captcha
   * - `login`: a form to log in
   * - `soft`: another page that refuses automated requests
   * - `status`: a status such as 403 without another sign
   * - `broken`: the host closed the connection, or its response was not HTTP
   */
  readonly signal: 'wall' | 'challenge' | 'address' | 'rate' | 'captcha' | 'login' | 'soft' | 'status' | 'broken'
  /** Name of the bot protection service, if known. */
  readonly wall?: string | undefined
  /** A sentence. */
  readonly reason: string
  /** Milliseconds to wait, as requested by the host. */
  readonly retryAfter?: number | undefined
}

/** Result of a loader that does not handle the page, with the reason. The next loader is tried. */
export interface Pass {
  readonly pass: string
}

/** Converts one family of files. */
export interface Parser {
  readonly name: string
  /** Media types without parameters; a trailing `*` matches any suffix. */
  readonly accepts: readonly string[]
  /** File types that it reads, for the list of formats and for files without a media type. */
  readonly files?: readonly FileType[] | undefined
  readonly parse: (bytes: Uint8Array, context: ParseContext) => Promise<Content> | Content
  /** True if the result depends only on the bytes and the request, not on the time left. The result may then be reused. */
  readonly fromPageAlone?: boolean | undefined
  /** Returns the maximum `units` of a file for a request, for its price estimate. Default: 1. Files in a file share the maximum. */
  readonly maxUnits?: ((request: ScrapeRequest) => number) | undefined
}

/** A type of files. */
export interface FileType {
  /** Its usual name, such as `docx`. */
  readonly format: string
  readonly kind?: 'document' | 'image' | undefined
  /** In lower case and without a dot. */
  readonly extensions: readonly string[]
  /** In lower case and without parameters. The parser must accept them. */
  readonly mimeTypes: readonly string[]
  /** True if the files are text without a signature: one with such an extension, and no other known type, has the first media type. */
  readonly isText?: boolean | undefined
  /** Beginnings of such text. One without a known extension or type has the first media type. */
  readonly starts?: readonly string[] | undefined
}

/** Context of a parser, in addition to the bytes. */
export interface ParseContext {
  readonly url: string
  readonly type: string
  readonly contentType: string | undefined
  readonly request: ScrapeRequest
  /** Name of the parser of this type that `request.parsers` omits. Absent if there is none, or if it is listed. */
  readonly turnedOff?: string | undefined
  /** Team that the file is parsed for. */
  readonly team: string
  /** The plugin's store for this team. */
  readonly store: PluginStore
  readonly signal: AbortSignal
  /** Size limit of the document. A thread that reads the file receives it, and stops at it. */
  readonly most: DocumentBound
  /** Returns the milliseconds until the request times out. Leave some for the formats, which are computed afterwards. */
  readonly timeLeft: () => number
  /** Returns the service of a port, or `undefined` if the engine does not have it. */
  readonly port: <Service>(port: Port<Service>) => Service | undefined
  /** Parses files in this file, such as attachments. Absent for a file that is itself in another one. */
  readonly inner?: InnerParsing | undefined
}

/** Parses files in a file. The caller limits their number and size. */
export interface InnerParsing {
  /** Extensions of the types that the parsers of plugins list, without a dot. Without parsers that the request turns off. */
  readonly extensions: ReadonlySet<string>
  /**
   * Parses a file with the parser of its type. Rejects with the error of the parser, with `unsupported_file`, or with
   * `response_too_large` once the files have as many `units` together as the request allows for one file.
   */
  parse(bytes: Uint8Array, name: string): Promise<Content>
}

/** Result of a parser. Fields that it sets are not derived from the HTML. */
export interface Content {
  /** The page as a string, or as bytes that are not decoded yet. */
  readonly html?: string | EncodedText
  /** A text file other than HTML that is not decoded yet. Like HTML, it is processed in a thread. */
  readonly text?: PlainText
  readonly markdown?: string
  readonly rawHtml?: string
  /**
   * True if all of the HTML is content. Main-content extraction is then skipped, because files have no menus around their text.
   */
  readonly isAllContent?: boolean
  readonly metadata?: Readonly<Record<string, Json>>
  /** Number of pages that were read, for types that have pages. Each is charged. */
  readonly units?: number
  readonly warnings?: readonly string[]
  /**
   * The pages of a file by themselves, if one of the options `pages`, `pageMarkers`, `blocks`, `pageImages` and `figures` of the
   * parser is set.
   */
  readonly pages?: readonly ContentPage[]
}

/** One page of a file. */
export interface ContentPage {
  /** From 1. */
  readonly number: number
  /** Empty if the page could not be read. */
  readonly html: string
  readonly status: 'ok' | 'partial' | 'failed'
  /** Size of the page as a picture, in pixels. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly blocks: readonly ContentBlock[]
  /** Only if the option `pageImages` of the parser is set. */
  readonly image?: ContentImage | undefined
}

/** A picture of a page of a file. */
export interface ContentImage {
  /** PNG, JPEG, WebP, GIF or BMP. */
  readonly bytes: Uint8Array
  /** Clockwise rotation in degrees, around the middle, after which the boxes of the blocks fit the picture. */
  readonly rotation: number
}

/** A part of a page, such as a paragraph or a table, in reading order. */
export interface ContentBlock {
  /** For example `title`, `section_header`, `text`, `list_item`, `table`, `code`, `caption`, `page_header`. */
  readonly type: string
  /** Name of the table or figure, such as `Table 2`, for it and for its caption. */
  readonly label?: string | undefined
  /** Its text; a table as HTML. */
  readonly content: string
  /** Left, top, right and bottom edge as fractions of the page. */
  readonly bbox?: readonly [left: number, top: number, right: number, bottom: number] | undefined
  /** Where the text is from, such as `ocr`. Default: `native_text`. */
  readonly source?: string | undefined
  /** Probability that the recognized text is correct, from 0 to 1. */
  readonly confidence?: number | undefined
  /** The picture of a figure, as the bytes of an image file. */
  readonly image?: Uint8Array | undefined
}

/** How a text file is written as Markdown: unchanged, in a code fence, as a table, or its bytes as base64. */
export type TextFileKind = 'plain' | 'json' | 'xml' | 'code' | 'table' | 'table of tabs' | 'base64'

/** A text file, and how it is written as Markdown. */
export interface PlainText extends EncodedText {
  readonly kind: TextFileKind
}

/** Text as bytes. The `Content-Type` header of the response helps to find the character encoding. */
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
  /** Gates that admit requests, in the order in which they are called. */
  readonly gates: readonly Gate[]
  readonly jobs: Jobs
  /** Properties that it adds to the engine. */
  readonly features: Features
  /** Services that only plugins can provide. Every `ports` function receives them, whatever the order of the plugins. */
  readonly gives: Partial<Pick<EnginePorts, 'sessions'>> & {
    /** Services for ports, like the option `ports` of the engine, which takes precedence. */
    readonly services?: readonly ProvidedPort[]
  }
  /**
   * Wraps ports of the engine: returns replacements for the given ones. Called once, in the order of the plugins.
   */
  readonly ports: ((given: EnginePorts) => Partial<EnginePorts>) | undefined
  /** Runs once, before the engine's first operation. If it rejects, the operation fails, and the next operation retries it. */
  readonly open: ((context: PluginContext) => Promise<void> | void) | undefined
  /** Runs when the engine is closed, if `open` has succeeded or is not defined. No part of the plugin is called after it. */
  readonly close: (() => Promise<void> | void) | undefined
}

/** Services that connect an engine to the outside. */
export interface EnginePorts {
  readonly fetcher: MakeFetcher
  /** Creates a fetcher with the TLS and the HTTP/2 of a browser, for hosts that block other clients. */
  readonly identityFetcher?: MakeFetcher | undefined
  readonly browser: MakeBrowser | undefined
  /** Opens live browsers; only with a plugin that provides them. */
  readonly sessions: MakeSessions | undefined
  /** Selects the proxies of `proxy: basic`, `enhanced` and `auto`. Without it, all connections are direct. */
  readonly proxies: Proxies | undefined
  readonly llm: LLM | undefined
  /** The search behind `search`: a web search, or a search of the scraped pages. */
  readonly search: Search | undefined
  readonly clock: Clock
  /** Resolver of host names. */
  readonly resolver: Resolver
  /** Generates the ids of requests. */
  readonly newId: () => string
}

/** Context of `open` and `close` of a plugin. */
export interface PluginContext {
  readonly fetcher: Fetcher
  readonly guard: Guard
  readonly clock: Clock
  /** Returns the plugin's store for a team. */
  store(team: string): PluginStore
  /**
   * Fetches a text file of a site, with the headers of the engine. Redirects are followed on its host only, and a longer file
   * is truncated. robots.txt comes from the cache of the engine. Resolves to `undefined` if there is no such file. Rejects if the
   * host fails, also with status 429 or 5xx.
   */
  fetchText(url: URL, options: { readonly maxBytes: number; readonly signal: AbortSignal }): Promise<string | undefined>
  /**
   * Checks a URL that the plugin requests by itself against robots.txt, from the cache of the engine. Rejects with
   * `robots_denied`; never on an engine with `robots: 'never'`.
   */
  checkRobots(url: URL, options: { readonly signal: AbortSignal }): Promise<void>
  /** Sends a warning to the host application. */
  warn(message: string): void
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal
}
