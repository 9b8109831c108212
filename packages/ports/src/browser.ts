import type { Guard } from './guard.ts'
import type { Proxy } from './proxies.ts'

/** Opens tabs of a real browser. */
export interface Browser {
  /**
   * Must give a tab that shares no cookies, storage, cache or permissions with any other, unless both were opened with
   * the same `group`. Must wait, or reject with the signal's reason, while as many are open as the browser allows.
   */
  open(profile: BrowserProfile, signal: AbortSignal): Promise<Tab>
  /** Must end every tab that is still open. */
  close(): Promise<void>
}

/** A browser is made with the guard in hand; all of its traffic must pass it. */
export type MakeBrowser = (guard: Guard) => Browser

/** Profile under which the browser opens a page. */
export interface BrowserProfile {
  /** The team it is for: while all tabs are taken, teams come in turns. */
  readonly team?: string | undefined
  /** Lower-case names. Must be sent to the origin of the page alone. */
  readonly headers: Readonly<Record<string, string>>
  readonly mobile: boolean
  readonly blockAds: boolean
  readonly skipTlsVerification: boolean
  readonly location?: { readonly country: string; readonly languages: readonly string[] }
  /** False says that the page will not be looked at: pictures, films and fonts may be left out. */
  readonly pictures?: boolean
  /**
   * True to show a file that can be shown (text, JSON, a picture), so that there is something to act on, instead of
   * taking it as a file. As `pictures` when absent.
   */
  readonly showsFiles?: boolean
  /**
   * Tabs with the same word, and the same profile in all else, may share what a browser keeps between pages: cookies,
   * storage and cached files. Others must not, and tabs without a word share nothing with any.
   */
  readonly group?: string | undefined
  /** Proxy for the traffic. Its address must pass the guard too. */
  readonly proxy?: Proxy | undefined
  /** The largest file that is taken instead of a page. */
  readonly maxBytes?: number
  /** Rejects where the page itself may not go; must be asked before anything is sent there. It says nothing of frames. */
  readonly mayVisit?: ((url: URL) => Promise<void>) | undefined
  /** Sees what the tab requests, and can answer in place of the hosts. Ignored by a browser that cannot intercept requests. */
  readonly traffic?: Traffic | undefined
}

/** Sees the requests of a tab, and can answer them in place of the hosts. */
export interface Traffic {
  /** The largest response body that `note` is given, in bytes. A larger one is cut. */
  readonly maxBytes: number
  /** A script that runs in each document before its own scripts. */
  readonly script?: string | undefined
  /** Gives the answer in place of the host, or nothing to let the host be asked. Rejects for a request that must fail. */
  answer?(asked: TrafficRequest): Promise<TrafficAnswer | undefined>
  /** Is told of each answer of a host, redirects included. */
  note?(asked: TrafficRequest, answer: TrafficAnswer): void
  /** Is told why the page itself could not be opened. */
  failed?(url: URL, error: unknown): void
}

/** A request of a page. */
export interface TrafficRequest {
  readonly url: string
  readonly method: string
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array | undefined
}

/** The answer to a request of a page. */
export interface TrafficAnswer {
  readonly status: number
  /** Lower-case names, repeats kept. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Decoded. Empty for a redirect. */
  readonly body: Uint8Array
  /** The body was longer. */
  readonly isCut?: boolean | undefined
}

/** The hands and eyes of a person, no more. Every wait ends when its signal is aborted. */
export interface Tab {
  /** Must settle when the page has become quiet, not when the network is. */
  goto(url: URL, signal: AbortSignal, options?: GotoOptions): Promise<Landing>
  /** Must reject with `action_failed` when nothing matches within 30 seconds. */
  waitFor(selector: string, signal: AbortSignal): Promise<void>
  url(): Promise<string>
  /** The document as it stands. What frames and open shadow roots show is in it. */
  html(signal?: AbortSignal): Promise<string>
  /** Runs a script in the page. Must give a value of the type that the script gave; of objects, what JSON can say. */
  evaluate(script: string, signal: AbortSignal): Promise<unknown>
  /** Types into the element that has the focus. */
  type(text: string, signal: AbortSignal): Promise<void>
  press(key: string, signal: AbortSignal): Promise<void>
  /** Must reject with `action_failed` for what a person could not click. With `all`, that nothing matches is fine. */
  click(selector: string, options: { readonly all: boolean }, signal: AbortSignal): Promise<void>
  /** Moves the page, or one element, by about what is in sight. */
  scroll(direction: 'up' | 'down', selector: string | undefined, signal: AbortSignal): Promise<void>
  screenshot(options: ScreenshotOptions, signal: AbortSignal): Promise<Uint8Array>
  pdf(options: PdfOptions, signal: AbortSignal): Promise<Uint8Array>
  /** Decisions on the way that the caller did not ask for, a sentence each. */
  warnings?(): readonly string[]
  /** Must not reject, and may be called twice. */
  close(): Promise<void>
}

/** How a page is opened. */
export interface GotoOptions {
  /** Milliseconds that a page may take that shows nothing yet, or only that it is loading. A browser may wait less. */
  readonly patience?: number | undefined
}

/** Result of going to an address. */
export interface Landing {
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds from asking for `url` to the first of its answer, when the browser tells. */
  readonly latency?: number | undefined
  /** The address is a file and not a page: here it is, and the tab shows nothing. */
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
