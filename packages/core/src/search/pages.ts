// Adds pages to search results. If a page cannot be scraped, its result stays as the search returned it.
import type { HoldParts } from '../credits/parts.ts'
import type { CreditHold } from '../credits/hold.ts'
import { EngineError, publicMessage } from '@harvestman/ports'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'
import type { OmittedPart } from '../schema/omitted.ts'
import type { PageRequest } from '../schema/crawl.ts'
import type { SearchRequest } from '../schema/search.ts'
import type { TimeLeft } from '../scrape/deadline.ts'
import type { AnyDocument } from '../scrape/document.ts'
import { duplicatesIn, fitPages } from './fit.ts'
import type { NewsResult, WebResult } from './hits.ts'

export interface PageScrape {
  /** Scrapes one page within the remaining time. */
  now(url: string, options: PageRequest, time: TimeLeft, hold: CreditHold): Promise<AnyDocument>
  /** Starts to scrape pages in the background. Returns the ids under which the documents, or errors, are available later. */
  later(urls: readonly string[], options: PageRequest): Promise<readonly string[]>
}

/** A search result with the content of its page, if it could be scraped. */
export type WithPage<Result, Document = AnyDocument> = Result &
  Partial<Document> & {
    /** The parts of the page that are not in `markdown`, because of `maxTokens` of the search or of the format. Offsets are in the whole Markdown. */
    readonly omitted?: readonly OmittedPart[]
  }

export interface AddedPages {
  readonly web?: readonly WithPage<WebResult>[]
  readonly news?: readonly WithPage<NewsResult>[]
  readonly warnings: readonly string[]
}

interface PagesWanted {
  readonly web?: readonly WebResult[]
  readonly news?: readonly NewsResult[]
}

const atOnce = 10
const withoutMarkdown =
  'removeDuplicates and maxTokens had no effect. Add the format markdown to scrapeOptions.formats.'

/**
 * Scrapes each page once, several at a time, and adds the documents to the results. Skipped without formats or with
 * `asyncScraping`. A page that fails leaves its result without a document; with `ignoreInvalidURLs`, the result of a blocked
 * page is removed. One warning describes the failures. With `removeDuplicates`, results with the same content as an earlier one
 * are removed; with `maxTokens`, the Markdown of all pages is cut to the budget. Rejects when the time is up.
 */
export async function addPages(
  { web, news }: PagesWanted,
  { scrapeOptions, ignoreInvalidURLs, asyncScraping, removeDuplicates, maxTokens, query }: SearchRequest,
  time: TimeLeft,
  { scrape, parts }: { readonly scrape: PageScrape; readonly parts: HoldParts },
): Promise<AddedPages> {
  const isWanted = scrapeOptions.formats.length > 0 && !asyncScraping
  const wanted = isWanted ? [...(web ?? []), ...(news ?? [])] : []
  const urls = [...new Set(wanted.map(({ url }) => url))]
  const pages = new Map<string, AnyDocument>()
  const failures = new Map<string, EngineError>()
  await mapAtMost(urls, atOnce, async (url) => {
    try {
      pages.set(url, await scrape.now(url, scrapeOptions, time, parts.open()))
    } catch (error) {
      if (!EngineError.is(error) || time.signal.aborted) throw error
      failures.set(url, error)
    }
  })
  const needsMarkdown = removeDuplicates || maxTokens !== undefined
  const hasMarkdown =
    pages.size === 0 ? isWanted : [...pages.values()].some(({ markdown }) => typeof markdown === 'string')
  const duplicates = removeDuplicates ? await duplicatesIn(urls, pages, time.signal) : new Set<string>()
  for (const url of duplicates) pages.delete(url)
  const copies = new Map<string, number>()
  for (const { url } of wanted) copies.set(url, (copies.get(url) ?? 0) + 1)
  const { signal } = time
  const fitted = maxTokens === undefined ? undefined : await fitPages(pages, { maxTokens, copies, query, signal })
  for (const [url, { markdown }] of fitted ?? []) {
    const page = pages.get(url)
    if (page) pages.set(url, { ...page, markdown })
  }
  const omittedOf = (url: string): { readonly omitted?: readonly OmittedPart[] } => {
    const omitted = [...(pages.get(url)?.omitted ?? []), ...(fitted?.get(url)?.omitted ?? [])]
    return omitted.length > 0 ? { omitted } : {}
  }
  const isAllowed = ({ url }: { readonly url: string }): boolean =>
    !duplicates.has(url) && !(ignoreInvalidURLs && failures.get(url)?.code === 'url_blocked')
  const join = <Result extends WebResult | NewsResult>(results: readonly Result[]): readonly WithPage<Result>[] =>
    results.filter(isAllowed).map((result) => ({ ...pages.get(result.url), ...result, ...omittedOf(result.url) }))
  return {
    ...(web && { web: join(web) }),
    ...(news && { news: join(news) }),
    warnings: [
      ...(failures.size > 0 ? [failuresMessage(failures, urls.length)] : []),
      ...(needsMarkdown && !hasMarkdown ? [withoutMarkdown] : []),
      ...(duplicates.size > 0 ? [`Removed pages with the same content as a better result: ${duplicates.size}.`] : []),
    ],
  }
}

/**
 * Starts to scrape each page once and returns the ids, in the order of the results. If that fails, the search results are still
 * returned, with a warning and without ids.
 */
export async function beginPages(
  { web, news }: PagesWanted,
  { scrapeOptions }: SearchRequest,
  scrape: PageScrape,
): Promise<BegunPages> {
  const urls = [...new Set([...(web ?? []), ...(news ?? [])].map(({ url }) => url))]
  try {
    const ids = urls.length > 0 ? await scrape.later(urls, scrapeOptions) : []
    const idOf = ({ url }: { readonly url: string }): string => ids[urls.indexOf(url)] ?? ''
    return { scrapeIds: { ...(web && { web: web.map(idOf) }), ...(news && { news: news.map(idOf) }) }, warnings: [] }
  } catch (error) {
    if (!EngineError.is(error)) throw error
    return { warnings: [`The pages are not scraped. ${publicMessage(error)}`] }
  }
}

export interface BegunPages {
  readonly scrapeIds?: PageIds
  readonly warnings: readonly string[]
}

/** Ids under which the pages of the results are available later. */
export interface PageIds {
  readonly web?: readonly string[]
  readonly news?: readonly string[]
}

function failuresMessage(failures: ReadonlyMap<string, EngineError>, pages: number): string {
  const named = [...failures].slice(0, 3).map(([url, { message }]) => `${url}: ${message}`)
  return `${failures.size} of ${pages} pages could not be scraped. ${named.join(' ')}`
}
