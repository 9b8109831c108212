// Versions of pages that were scraped with the format changeTracking.
import type { Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** A page whose versions the server stores. Scrapes with a tag have their own history. */
export interface TrackedPage {
  readonly url: string
  readonly tag?: string | undefined
}

/** A version of a page. */
export interface PageVersion {
  readonly version: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  /** Number of scrapes that saw this version. */
  readonly checks: number
  readonly isRemoved: boolean
  readonly characters: number
}

/** The versions of a page, newest first. */
export interface PageHistory {
  readonly url: string
  readonly tag: string | null
  readonly versions: readonly PageVersion[]
}

/** The difference between two versions: in Git's text format, and as data. */
export interface PageDiff {
  readonly url: string
  readonly tag: string | null
  readonly from: PageVersion
  readonly to: PageVersion
  readonly diff: { readonly text: string; readonly json: { readonly files: readonly unknown[] } }
}

/** A tracked page with its newest version. */
export interface ListedPage {
  readonly url: string
  readonly tag: string | null
  /** Its `firstSeenAt` is the time of the last change. */
  readonly newest: PageVersion
}

/** Methods for versions of pages. */
export interface Changes {
  /** Lists the tracked pages, with pagination. */
  list(
    query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
    options?: WaitOptions,
  ): Promise<{ readonly pages: readonly ListedPage[]; readonly cursor?: string }>
  /** Lists the versions of a page. */
  history(page: TrackedPage, options?: WaitOptions): Promise<PageHistory>
  /** Compares two versions of a page. Default: the newest two. */
  diff(
    page: TrackedPage & { readonly from?: number | undefined; readonly to?: number | undefined },
    options?: WaitOptions,
  ): Promise<PageDiff>
}

/** Creates the methods for versions of pages. Each rejects with a `HarvestmanError` if the request fails. */
export function makeChanges(http: Http): Changes {
  const read = async <Answer>(path: string, query: object, { signal }: WaitOptions = {}): Promise<Answer> => {
    const entries = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)])).toString()
    const ask = { method: 'GET', path: `${path}?${search}`, signal, isRepeatable: true } as const
    return http.ask<Answer>(ask)
  }
  const get = async <Data>(path: string, query: object, options?: WaitOptions): Promise<Data> =>
    (await read<{ readonly data: Data }>(path, query, options)).data
  return {
    list: async (query = {}, options) => {
      const { pages, cursor } = await read<Awaited<ReturnType<Changes['list']>>>('/v2/changes/pages', query, options)
      return { pages, ...(cursor !== undefined && { cursor }) }
    },
    history: (page, options) => get('/v2/changes', page, options),
    diff: (page, options) => get('/v2/changes/diff', page, options),
  }
}
