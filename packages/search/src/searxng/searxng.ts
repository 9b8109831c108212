import type { Search, SearchHit } from '@harvestman/ports'

import { searchNotConfigured } from '../faults.ts'
import { askSearxng } from './exchange.ts'
import { hitsIn } from './hits.ts'
import { searchUrl } from './request.ts'

/** Options of `searxng`. */
export interface SearxngOptions {
  /** URL of the instance, such as `http://localhost:8080`. Its host may be private. Redirects are not followed. */
  readonly endpoint: string | URL
  /** Engines of the instance to use, for all sources. Default: the engines of the category. */
  readonly engines?: readonly string[] | undefined
  /** Categories of the instance to use for web searches. Default: `general`. */
  readonly categories?: readonly string[] | undefined
  /** Sent with every request, for instances that require a key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Timeout for one page of results, in milliseconds. Default: 15,000. */
  readonly timeout?: number | undefined
  /** Maximum size of a response, in bytes. Default: 5 MB. */
  readonly maxBytes?: number | undefined
}

/** Instances return about 10 to 30 results per page. */
const maxPages = 5

/**
 * Creates a search backend for a SearXNG instance, which must have JSON enabled in `search.formats`. Throws `not_configured` if
 * the endpoint is invalid or contains a password. A search requests up to 5 pages of results, each within `timeout`
 * milliseconds, and may return more than the limit. It rejects with `search_unavailable`, `search_failed` or `not_configured`.
 */
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
      for (let page = 1; page <= maxPages && found.size < query.limit; page += 1) {
        const address = searchUrl(endpoint, query, page, { engines, categories })
        const known = found.size
        const answer = await askSearxng(address, { headers, timeout, maxBytes }, signal)
        for (const hit of hitsIn(answer, query)) if (!found.has(hit.url)) found.set(hit.url, hit)
        // A page without any new hit is the last one.
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
  if (!endpoint || !/^https?:$/.test(endpoint.protocol)) throw searchNotConfigured(badEndpoint)
  if (endpoint.username !== '' || endpoint.password !== '')
    throw searchNotConfigured('The endpoint of SearXNG must not hold a password. Give it in a header.')
  // Users often give the URL of the search page instead of the instance.
  endpoint.pathname = `${endpoint.pathname.replace(/\/+(?:search\/*)?$/, '')}/search`
  endpoint.hash = ''
  endpoint.search = ''
  return endpoint
}

// The URL itself is not shown: users put passwords into the wrong setting.
const badEndpoint = 'The endpoint of SearXNG is not a URL. Write it as http://localhost:8080.'
