// Videos of live browsers.
import type { Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** A tab of a live browser with a stored video. Times are milliseconds from the start of the browser. */
export interface ReplayedPage {
  readonly pageId: string
  /** The last URL of the tab. */
  readonly pageUrl: string
  readonly startTimeMs: number
  readonly endTimeMs: number
}

/** Videos of live browsers, including ended ones. */
export interface Replays {
  /** Lists the tabs of a live browser that have a stored video. */
  list(browser: string, options?: WaitOptions): Promise<readonly ReplayedPage[]>
  /** Returns the video of a tab as an HLS playlist. */
  playlist(browser: string, pageId: string, options?: WaitOptions): Promise<string>
}

/** Creates the methods for videos of live browsers. Each rejects with a `HarvestmanError` if the request fails. */
export function makeReplays(http: Http): Replays {
  const path = (id: string): string => `/v2/browser/${encodeURIComponent(id)}/replay`
  return {
    list: async (browser, { signal } = {}) => {
      const ask = { method: 'GET', path: path(browser), signal, isRepeatable: true } as const
      return (await http.ask<{ readonly pages: readonly ReplayedPage[] }>(ask)).pages
    },
    playlist: async (browser, pageId, { signal } = {}) => {
      const ask = { method: 'GET', path: `${path(browser)}/${encodeURIComponent(pageId)}`, signal } as const
      return (await http.open({ ...ask, isRepeatable: true })).text()
    },
  }
}
