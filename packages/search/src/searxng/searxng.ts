import type { Search, SearchHit } from '@harvestman/ports'

import { misconfigured } from '../faults.ts'
import { askSearxng } from './exchange.ts'
import { hitsIn } from './hits.ts'
import { searchAddress } from './request.ts'

/** Options of `searxng`. */
export interface SearxngOptions {
  /** The address of the instance, as `http://localhost:8080`. It is trusted as it stands; redirects from it are not followed. */
  readonly endpoint: string | URL
  /** Engines of the instance that are asked, for each source. Those of the category when absent. */
  readonly engines?: readonly string[] | undefined
  /** Categories of the instance that stand for the web; `general` when absent. */
  readonly categories?: readonly string[] | undefined
  /** Sent with every request, for an instance that asks for a key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The longest that one page of results may take, in milliseconds: 15,000. */
  readonly timeout?: number | undefined
  /** The largest answer, in bytes: 5 MB. */
  readonly maxBytes?: number | undefined
}

/** An instance gives some 10 to 30 results a page. */
const mostPages = 5

/** The search port on an instance of SearXNG, which must give JSON: `search.formats` of its settings. */
export function searxng(options: SearxngOptions): Search {
  const { engines = [], categories = [], headers = {}, timeout = 15_000, maxBytes = 5_000_000 } = options
  const endpoint = parse(options.endpoint)
  return {
    name: 'SearXNG',
    sources: ['web', 'news', 'images'],
    follows: ['language', 'country', 'time', 'newestFirst', 'category', 'safe'],
    find: async (query, signal) => {
      signal.throwIfAborted()
      const found = new Map<string, SearchHit>()
      for (let page = 1; page <= mostPages && found.size < query.limit; page += 1) {
        const address = searchAddress(endpoint, query, page, { engines, categories })
        const known = found.size
        const answer = await askSearxng(address, { headers, timeout, maxBytes }, signal)
        for (const hit of hitsIn(answer, query)) if (!found.has(hit.url)) found.set(hit.url, hit)
        // A page without anything new is the last one.
        if (found.size === known) break
      }
      const hits = [...found.values()]
      return query.newestFirst ? hits.toSorted(newestFirst) : hits
    },
  }
}

function newestFirst(one: SearchHit, other: SearchHit): number {
  return timeOf(other) - timeOf(one)
}

function timeOf({ date }: SearchHit): number {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? 0 : time
}

function parse(given: string | URL): URL {
  const endpoint = URL.parse(String(given))
  if (!endpoint || !/^https?:$/.test(endpoint.protocol)) throw misconfigured(badEndpoint)
  if (endpoint.username !== '' || endpoint.password !== '')
    throw misconfigured('The endpoint of SearXNG must not hold a password. Give it in a header.')
  // People name the page of results as often as the instance.
  endpoint.pathname = `${endpoint.pathname.replace(/\/+(?:search\/*)?$/, '')}/search`
  endpoint.hash = ''
  endpoint.search = ''
  return endpoint
}

// The address itself is not shown: passwords end up in the wrong setting.
const badEndpoint = 'The endpoint of SearXNG is not an address. Write it as http://localhost:8080.'
