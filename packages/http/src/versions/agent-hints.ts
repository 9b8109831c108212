// Hints for agents: the next step that a result suggests. They contain no text of a page, and no path or query of
// a URL, which may be from a page as well, because agents follow them.
import type { AnyDocument, SearchResult } from '@harvestman/core'
import { z } from 'zod'

/** The hints of a response, as its schema has them. */
export const agentHints = z
  .array(z.string())
  .optional()
  .describe('The next step that the result suggests, for agents. Absent if there is none.')

/** Response fields with a hint; none without one. */
export type Hints = { readonly agent_hints?: [string] }

/** Returns the hint for the document of a page or a file; an empty object if there is none. */
export function documentHints({ metadata }: Pick<AnyDocument, 'metadata'>): Hints {
  const { statusCode, sourceURL, scrapeId, numPages, totalPages } = metadata
  if (statusCode === 401)
    return hint(`The page needs a login (401). Log in with POST /v2/scrape/${scrapeId}/interact, or send headers.`)
  if (statusCode === 404 || statusCode === 410) return hint(`The page does not exist (${statusCode}). ${searchForIt}`)
  if (typeof totalPages === 'number' && typeof numPages === 'number' && totalPages > numPages)
    return hint(`Only ${numPages} of ${totalPages} pages were read. Raise maxPages of the PDF parser to read more.`)
  return isResultPage(sourceURL) ? hint(`This is the result page of a search engine. ${searchForIt}`) : {}
}

const searchForIt = 'Search for it with POST /v2/search.'

const minHits = 4
const shareOfOne = 0.75

/** Returns the hint for the results of a search; an empty object if there is none. */
export function searchHints({ web = [], news = [], images = [], scrapeIds }: SearchResult): Hints {
  const hits = [...web, ...news]
  if (hits.length + images.length === 0) return hint('The search has no results. Use fewer or other words.')
  const [host, count] = mostFrequent(web.map(({ url }) => URL.parse(url)?.origin))
  if (web.length >= minHits && count >= shareOfOne * web.length)
    return hint(`Most results are on ${host}. List its pages with POST /v2/map, or read them with POST /v2/crawl.`)
  const isExcerpt = hits.length > 0 && !scrapeIds && hits.every((hit) => !('metadata' in hit))
  return isExcerpt ? hint('The results are excerpts. Read one with POST /v2/scrape, or set scrapeOptions.formats.') : {}
}

function hint(text: string): Hints {
  return { agent_hints: [text] }
}

/** Result pages of search engines: their hosts, paths, and the parameter with the query. */
const resultPages: readonly (readonly [host: RegExp, path: string, parameter: string])[] = [
  [/^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/, '/search', 'q'],
  [/^(?:www\.)?bing\.com$/, '/search', 'q'],
  [/^(?:www\.|html\.|lite\.)?duckduckgo\.com$/, '', 'q'],
  [/^search\.brave\.com$/, '/search', 'q'],
  [/^search\.yahoo\.com$/, '/search', 'p'],
]

function isResultPage(url: string): boolean {
  const { hostname = '', pathname = '', searchParams } = URL.parse(url) ?? {}
  const engine = resultPages.find(([host, path]) => host.test(hostname) && (path === '' || pathname === path))
  return engine !== undefined && Boolean(searchParams?.get(engine[2])?.trim())
}

function mostFrequent(values: readonly (string | undefined)[]): readonly [value: string | undefined, count: number] {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length] as const)
  return counts.toSorted(([, one], [, other]) => other - one)[0] ?? [undefined, 0]
}
