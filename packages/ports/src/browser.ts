import type { Guard } from './guard.ts'
import type { Json } from './value.ts'
import type { Proxy } from './proxies.ts'

/** Opens tabs of a real browser. */
export interface Browser {
  /**
   * Must return a tab that shares no cookies, storage, cache or permissions with any other, unless both were opened with the
   * same `group`. Must wait while the maximum number of tabs is open, and reject with the signal's reason if it is aborted.
   */
  open(profile: BrowserProfile, signal: AbortSignal): Promise<Tab>
  /**
   * Returns how the browser identifies itself to hosts, without starting it, so that requests over HTTP can agree with it.
   * `undefined` if it is not known yet.
   */
  identity?(): Promise<BrowserIdentity | undefined>
  /** Must close every open tab. */
  close(): Promise<void>
}

/** How a browser identifies itself to hosts. */
export interface BrowserIdentity {
  /** Major version of Chromium. */
  readonly version: number
  /** Name of the product, such as `Google Chrome`. Absent for Chromium itself. */
  readonly brand?: string | undefined
  readonly platform: 'Linux' | 'macOS' | 'Windows'
}

/** Creates a browser with a guard, which all of its traffic must pass. */
export type MakeBrowser = (guard: Guard) => Browser

/** Options under which the browser opens a page. */
export interface BrowserProfile {
  /** The team it is for: while all tabs are in use, waiting teams are served round-robin. */
  readonly team?: string | undefined
  /** Lower-case names. Must be sent to the origin of the page only. */
  readonly headers: Readonly<Record<string, string>>
  readonly mobile: boolean
  readonly blockAds: boolean
  readonly skipTlsVerification: boolean
  readonly location?: { readonly country: string; readonly languages: readonly string[] }
  /**
   * False if nobody will see the page: images, videos and fonts need not be loaded, and nothing need be painted. `screenshot` may
   * then reject with `action_failed`.
   */
  readonly pictures?: boolean
  /**
   * True to display a file that can be displayed (text, JSON, an image), so that actions have something to act on, instead of
   * downloading it. Default: the value of `pictures`.
   */
  readonly showsFiles?: boolean
  /**
   * Tabs with the same group, and otherwise the same profile, may share the state of a browser: cookies, storage and cached
   * files. Tabs of different groups, or without a group, must share nothing.
   */
  readonly group?: string | undefined
  /** Cookies and storage that the tab starts with, as returned by `save`. */
  readonly state?: Json | undefined
  /** Proxy for the traffic. Its host must pass the guard too. */
  readonly proxy?: Proxy | undefined
  /** Maximum size in bytes of a file that is downloaded in place of a page. */
  readonly maxBytes?: number
  /** Rejects if the page itself may not visit a URL; must be called before anything is sent there. Does not apply to frames. */
  readonly mayVisit?: ((url: URL) => Promise<void>) | undefined
  /**
   * Returns further headers for one request for a document: the page, a redirect or a frame. They must be sent with this request
   * only. Header names are in lower case. Ignored by a browser that cannot intercept requests.
   */
  readonly documentHeaders?:
    | ((request: {
        readonly url: URL
        readonly headers: Readonly<Record<string, string>>
      }) => Readonly<Record<string, string>>)
    | undefined
  /**
   * Observes the requests of the tab, and can respond in place of hosts. Ignored by a browser that cannot intercept requests.
   */
  readonly traffic?: Traffic | undefined
}

/** Observes the requests of a tab, and can respond to them in place of hosts. */
export interface Traffic {
  /** Maximum size in bytes of a response body that `note` receives. A larger one is truncated. */
  readonly maxBytes: number
  /** A script that runs in each document before the document's own scripts. */
  readonly script?: string | undefined
  /** Returns the response in place of the host, or `undefined` to send the request. Rejects for a request that must fail. */
  answer?(asked: TrafficRequest): Promise<TrafficAnswer | undefined>
  /** Called with each response of a host, including redirects. */
  note?(asked: TrafficRequest, answer: TrafficAnswer): void
  /** Called with the reason why the page itself could not be opened. */
  failed?(url: URL, error: unknown): void
}

/** A request of a page. */
export interface TrafficRequest {
  readonly url: string
  readonly method: string
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array | undefined
  /** Whether it requests the document of a frame in the page. */
  readonly isFrame?: boolean | undefined
}

/** The response to a request of a page. */
export interface TrafficAnswer {
  readonly status: number
  /** Lower-case names; repeated headers are retained. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Decoded. Empty for a redirect. */
  readonly body: Uint8Array
  /** The body was truncated. */
  readonly isCut?: boolean | undefined
}

/** The actions and observations available to a person, no more. Every wait ends when its signal is aborted. */
export interface Tab {
  /** Must settle when the page has become quiet, even if the network has not. */
  goto(url: URL, signal: AbortSignal, options?: GotoOptions): Promise<Landing>
  /** Must reject with `action_failed` when nothing matches within 30 seconds. */
  waitFor(selector: string, signal: AbortSignal): Promise<void>
  /**
   * Waits until the page has replaced the document of the last landing, as a script that checks the browser does, and until the
   * new one has settled. Returns its response, or `undefined` if the document stays for `ms` milliseconds.
   */
  leaves?(ms: number, signal: AbortSignal): Promise<Landing | undefined>
  url(): Promise<string>
  /** Returns the current document, including the content of frames and open shadow roots. */
  html(signal?: AbortSignal): Promise<string>
  /** Must return the same HTML as `html`, with the elements that a visitor cannot see. */
  read?(signal: AbortSignal): Promise<ReadDocument>
  /** Runs a script in the page. Must return the script's value with its type; objects as far as JSON can represent them. */
  evaluate(script: string, signal: AbortSignal): Promise<unknown>
  /** Types into the element that has the focus. */
  type(text: string, signal: AbortSignal): Promise<void>
  press(key: string, signal: AbortSignal): Promise<void>
  /** Must reject with `action_failed` if a person could not click the element. With `all`, no match is no error. */
  click(selector: string, options: { readonly all: boolean }, signal: AbortSignal): Promise<void>
  /** Scrolls the page, or one element, by about one visible screen. */
  scroll(direction: 'up' | 'down', selector: string | undefined, signal: AbortSignal): Promise<void>
  screenshot(options: ScreenshotOptions, signal: AbortSignal): Promise<Uint8Array>
  pdf(options: PdfOptions, signal: AbortSignal): Promise<Uint8Array>
  /** Returns the cookies and storage, for a later tab. Absent if the browser has no profiles. */
  save?(signal: AbortSignal): Promise<Json>
  /** Returns decisions of the browser that the caller did not request, one sentence each. */
  warnings?(): readonly string[]
  /** Must not reject, and may be called twice. */
  close(): Promise<void>
}

/** A document as HTML. */
export interface ReadDocument {
  readonly html: string
  /** Absent if the browser did not determine it, for example because the page is too large. */
  readonly hidden?: HiddenMarks | undefined
}

/**
 * The elements that a browser does not show, in document order: the index in the HTML after the `>` of the start tag, and how
 * the element is hidden. The indexes must ascend.
 */
export type HiddenMarks = readonly (readonly [end: number, how: string])[]

/** How a page is opened. */
export interface GotoOptions {
  /** Milliseconds that a page may show nothing, or only that it is loading. A browser may wait less. */
  readonly patience?: number | undefined
}

/** Result of opening a URL. */
export interface Landing {
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds from requesting `url` to the first byte of the response, if the browser reports it. */
  readonly latency?: number | undefined
  /** Why the page counted as settled, as a sentence for the caller. */
  readonly readiness?: string | undefined
  /** Content of the file if the URL is a file, not a page; the tab shows nothing then. */
  readonly download?: Uint8Array
}

/** Options of a screenshot. */
export interface ScreenshotOptions {
  readonly fullPage: boolean
  /** 1 to 100 gives a JPEG; without it, a PNG. */
  readonly quality?: number | undefined
  readonly viewport?: { readonly width: number; readonly height: number } | undefined
}

/** Options of a printed page. */
export interface PdfOptions {
  readonly format: string
  readonly landscape: boolean
  readonly scale: number
}
