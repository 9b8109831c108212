// Sites that live, each of another kind, and what a full crawl of each would load.
import type { Fetcher } from '@harvestman/ports'
import { livingSite, type LivingSite, type LivingSiteOptions, type MovedClock } from '@harvestman/testing'

/** A site of the bench. */
export interface KindOfSite {
  readonly name: string
  readonly host: string
  readonly site: LivingSite
  /** The same site, asked by no engine. */
  readonly twin: LivingSite
}

type Kind = Pick<LivingSiteOptions, 'honesty' | 'listing' | 'feed'>

const kinds: Readonly<Record<string, Kind>> = {
  'honest ETag': { honesty: 'honest' },
  'no headers, honest sitemap': { honesty: 'says nothing', listing: 'honest' },
  'no headers, honest feed': { honesty: 'says nothing', feed: 'honest' },
  'no headers': { honesty: 'says nothing' },
  'the same ETag for ever': { honesty: 'same etag for ever' },
  'a new ETag each time': { honesty: 'new etag each time' },
  'Last-Modified is now': { honesty: 'modified now' },
  'a sitemap that never changes': { honesty: 'says nothing', listing: 'stale' },
  'each page another of these headers': {},
}

/** Makes one site of each kind. */
export function makeSites(clock: MovedClock, pages: number, days: number): readonly KindOfSite[] {
  const entries = Object.entries(kinds)
  return entries.map(([name, kind], at) => {
    const count = Math.floor(pages / entries.length) + (at < pages % entries.length ? 1 : 0)
    // The HTML of a page of the web has some 30 KB.
    const options = { clock, pages: count, days, seed: 7 + at, slowness: 50, weight: 30_000, ...kind }
    return { name, host: `s${at}.test`, site: livingSite(options), twin: livingSite(options) }
  })
}

/** Serves all of them, each to its host. */
export function fetcherOf(sites: readonly KindOfSite[]): Fetcher {
  const byHost = new Map(sites.map(({ host, site }) => [host, site]))
  return {
    exchange: async (request, signal) => {
      const site = byHost.get(request.url.host)
      return site ? site.fetcher.exchange(request, signal) : { status: 404, headers: [], body: new Uint8Array() }
    },
    close: async () => undefined,
  }
}

/** The bytes of a full crawl of a site as it is now. */
export async function bytesOfAll({ twin }: KindOfSite): Promise<number> {
  const before = twin.served.bytes
  const load = async (path: string): Promise<void> => {
    const { headers } = await twin.answer(path)
    const { location } = headers
    if (location !== undefined) await load(location)
  }
  for (const path of ['/robots.txt', '/sitemap.xml', ...twin.paths]) await load(path)
  return twin.served.bytes - before
}
