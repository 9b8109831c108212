// Live browsers of a server: opened, driven by code or by a task in words, and closed.
import type { Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** Options of a new live browser. */
export interface BrowserRequest {
  /** Seconds until it ends, in all and without use. */
  readonly ttl?: number
  readonly activityTtl?: number
  /** Keeps cookies and storage under a name from one browser to the next. */
  readonly profile?: { readonly name: string; readonly saveChanges?: boolean }
  readonly [option: string]: unknown
}

/** Addresses of a live browser. Each carries its own key. */
export interface BrowserAddresses {
  /** For clients of the DevTools protocol, such as Puppeteer and Playwright. */
  readonly cdpUrl: string
  /** A page that shows it. */
  readonly liveViewUrl: string | null
  /** A page that shows it and lets its viewer act. */
  readonly interactiveLiveViewUrl: string | null
}

/** Code to run in a live browser. Times are in seconds. */
export interface CodeRequest {
  readonly code: string
  readonly language?: 'node' | 'python' | 'bash'
  readonly timeout?: number
}

/** A task in words for a live browser. Times are in seconds. */
export interface TaskRequest {
  readonly prompt: string
  readonly timeout?: number
}

/** The outcome of code or of a task. */
export interface Executed {
  readonly success: boolean
  readonly stdout: string
  readonly stderr: string
  readonly result: string | null
  readonly exitCode: number
  readonly killed: boolean
  readonly truncated?: boolean
  readonly error?: string
  /** The answer to a task. */
  readonly output?: string | null
}

/** The bill of a live browser that has ended. */
export interface BrowserEnd {
  readonly sessionDurationMs: number
  readonly creditsBilled: number
}

/** A live browser as a list shows it. */
export interface ListedBrowser extends BrowserAddresses {
  readonly id: string
  readonly status: 'active' | 'destroyed'
  readonly createdAt: string
  readonly lastActivity: string
}

/** How a live browser is. */
export interface BrowserState extends BrowserAddresses, Partial<BrowserEnd> {
  readonly id: string
  readonly status: 'running' | 'stopped'
  readonly createdAt: string
  readonly lastActivity: string
  readonly expiresAt: string
}

/** A tab of a live browser whose video is kept. Times are milliseconds from its start. */
export interface ReplayedPage {
  readonly pageId: string
  /** The last address that it had. */
  readonly pageUrl: string
  readonly startTimeMs: number
  readonly endTimeMs: number
}

/** A link to look at a live browser, which ends before the browser does. */
export interface BrowserShare {
  readonly id: string
  /** The live view, to look at. It carries its own key. */
  readonly url: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** A live browser of the server. */
export interface LiveBrowser {
  readonly id: string
  /** How it is, with its addresses while it runs. */
  status(options?: WaitOptions): Promise<BrowserState>
  /** Runs code in it. */
  run(request: CodeRequest, options?: WaitOptions): Promise<Executed>
  /** The tabs whose video is kept, also when it has ended. */
  replay(options?: WaitOptions): Promise<readonly ReplayedPage[]>
  /** The video of a tab, as an HLS playlist that players open. */
  playlist(pageId: string, options?: WaitOptions): Promise<string>
  /** Makes a link to look at it, which ends after so many seconds: 900 when absent. */
  share(request?: { readonly ttl?: number }, options?: WaitOptions): Promise<BrowserShare>
  /** The links that have not ended, the newest first. */
  shares(options?: WaitOptions): Promise<readonly BrowserShare[]>
  /** Ends a link: everyone who looks on through it is sent away. */
  endShare(id: string, options?: WaitOptions): Promise<void>
  /** Ends it. */
  close(options?: WaitOptions): Promise<BrowserEnd>
}

/** Live browsers of the server. */
export interface LiveBrowsers {
  /** Opens one. */
  open(request?: BrowserRequest, options?: WaitOptions): Promise<LiveBrowser & BrowserAddresses & { expiresAt: string }>
  /** Those of the team, also those that have ended, the newest first. */
  list(query?: { readonly status?: 'active' | 'destroyed' }, options?: WaitOptions): Promise<readonly ListedBrowser[]>
  /** One that was opened before. */
  find(id: string): LiveBrowser
  /** Runs code or a task in the browser of a scrape, by `metadata.scrapeId`. The first call opens it. */
  interact(
    scrapeId: string,
    request: CodeRequest | TaskRequest,
    options?: WaitOptions,
  ): Promise<Executed & BrowserAddresses & { readonly sessionId: string }>
  /** Ends the browser of a scrape. */
  stopInteraction(scrapeId: string, options?: WaitOptions): Promise<BrowserEnd>
  /** Deletes what is kept under the name of a profile. */
  deleteProfile(name: string, options?: WaitOptions): Promise<void>
}

const base = '/v2/browser'
// The server counts the time of code and tasks; here it has that time and some for the way.
const usualTime = 300
const moreThanTime = 15_000

/** Makes the methods about live browsers. */
export function makeBrowsers(http: Http): LiveBrowsers {
  const send = <Answer>(
    method: 'POST' | 'DELETE',
    path: string,
    body: object | undefined,
    options: WaitOptions = {},
  ) => {
    const { timeout = usualTime } = (body ?? {}) as { readonly timeout?: number }
    const ask = { method, path, body, signal: options.signal, timeout: timeout * 1_000 + moreThanTime }
    return http.ask<Answer>({ ...ask, isRepeatable: method === 'DELETE' })
  }
  const find = (id: string): LiveBrowser => {
    const path = `${base}/${encodeURIComponent(id)}`
    return {
      id,
      status: ({ signal } = {}) => http.ask({ method: 'GET', path, signal, isRepeatable: true }),
      run: (request, options) => send('POST', `${path}/execute`, request, options),
      replay: async ({ signal } = {}) => {
        const ask = { method: 'GET', path: `${path}/replay`, signal, isRepeatable: true } as const
        return (await http.ask<{ readonly pages: readonly ReplayedPage[] }>(ask)).pages
      },
      playlist: async (pageId, { signal } = {}) => {
        const ask = { method: 'GET', path: `${path}/replay/${encodeURIComponent(pageId)}`, signal } as const
        return (await http.open({ ...ask, isRepeatable: true })).text()
      },
      share: (request = {}, options) => send('POST', `${path}/shares`, request, options),
      shares: async ({ signal } = {}) => {
        const ask = { method: 'GET', path: `${path}/shares`, signal, isRepeatable: true } as const
        return (await http.ask<{ readonly shares: readonly BrowserShare[] }>(ask)).shares
      },
      endShare: (shareId, options) =>
        send('DELETE', `${path}/shares/${encodeURIComponent(shareId)}`, undefined, options),
      close: (options) => send('DELETE', path, undefined, options),
    }
  }
  const ofScrape = (id: string): string => `/v2/scrape/${encodeURIComponent(id)}/interact`
  return {
    find,
    open: async (request = {}, options) => {
      const opened = await send<BrowserAddresses & { id: string; expiresAt: string }>('POST', base, request, options)
      return { ...opened, ...find(opened.id) }
    },
    list: async ({ status } = {}, { signal } = {}) => {
      const path = status === undefined ? base : `${base}?status=${status}`
      const ask = { method: 'GET', path, signal, isRepeatable: true } as const
      return (await http.ask<{ readonly sessions: readonly ListedBrowser[] }>(ask)).sessions
    },
    interact: (scrapeId, request, options) => send('POST', ofScrape(scrapeId), request, options),
    stopInteraction: (scrapeId, options) => send('DELETE', ofScrape(scrapeId), undefined, options),
    deleteProfile: (name, options) =>
      send('DELETE', `${base}/profiles/${encodeURIComponent(name)}`, undefined, options),
  }
}
