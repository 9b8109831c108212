// A search: queries the sources in parallel and scrapes the pages found if formats are requested.
import { splitHold, type HoldParts } from '../credits/parts.ts'
import { payFor } from '../credits/hold.ts'
import { searchPrice } from '../credits/tariff.ts'
import {
  EngineError,
  publicMessage,
  type Search,
  type SearchHit,
  type SearchQuery,
  type SearchSource,
} from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { searchPort } from '../plugin/core-ports.ts'
import { missingPort } from '../plugin/missing-port.ts'
import { isPrivate, type SearchRequest } from '../schema/search.ts'
import type { Caller } from '../scrape/caller.ts'
import type { Deadline } from '../scrape/deadline.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { Kit } from '../scrape/kit.ts'
import { holdFor } from '../scrape/hold-for.ts'
import {
  imageResult,
  newsResult,
  takeHits,
  webResult,
  type ImageResult,
  type NewsResult,
  type WebResult,
} from './hits.ts'
import { addPages, beginPages, type PageIds, type PageScrape, type WithPage } from './pages.ts'
import { threatRules } from '../threats/rules.ts'
import { planQuery } from './query.ts'

/** Results by source. Only requested sources are present. */
interface Found {
  readonly web?: readonly WebResult[]
  readonly news?: readonly NewsResult[]
  readonly images?: readonly ImageResult[]
}

/** Results by source. Only requested sources are present. */
export interface SearchResult<Document = AnyDocument> {
  readonly web?: readonly WithPage<WebResult, Document>[]
  readonly news?: readonly WithPage<NewsResult, Document>[]
  readonly images?: readonly ImageResult[]
  /** With `asyncScraping`: ids under which the pages are available later, in the order of the results. */
  readonly scrapeIds?: PageIds
  readonly id: string
  readonly warning?: string
  /** Credits for the search and the scraped pages. */
  readonly creditsUsed: number
}

export interface SearchKit extends Kit {
  readonly scrapePage: PageScrape
}

/**
 * Searches for pages, and scrapes them if the request has formats. A page that cannot be scraped remains in the results without
 * a document, with a warning; a blocked one is removed with `ignoreInvalidURLs`. Rejects with an `EngineError`, such as
 * `search_timeout` or `search_failed`. A search that fails is free, including the pages already scraped.
 */
export async function search(request: SearchRequest, caller: Caller, kit: SearchKit): Promise<SearchResult> {
  const port = searchOf(kit)
  const { timeout, limit, sources } = request
  const started = kit.clock.now()
  const deadline = kit.deadlines.start(timeout, caller.signal, () => tooLate(timeout))
  const { id, team } = caller
  const tell = (event: SearchEvent): void => kit.observer({ ...event, team, id, at: kit.clock.now() })
  try {
    const { race } = deadline
    // A plugin may provide the search.
    await kit.plugins.open()
    const most = searchPrice(limit * sources.length, isPrivate(request))
    const hold = holdFor(caller, started + timeout, kit)
    // One charge for everything: if the search fails after some pages were scraped, nothing is charged.
    const parts = splitHold(hold)
    const { result, count } = await payFor(
      { hold, most, price: () => parts.spent, begun: caller.begun, race },
      async () => {
        const price = ({ credits }: Answered): number => credits
        const found = await payFor({ hold: parts.open(), most, price, race }, () => ask(request, port, team, deadline))
        return { result: await withPages(request, found, deadline, { id, kit, parts }), count: found.count }
      },
    )
    tell({ kind: 'search.completed', results: count, credits: result.creditsUsed, ms: kit.clock.now() - started })
    return result
  } catch (error) {
    const failure = typed(error)
    const { code, message } = failure
    tell({ kind: 'search.failed', code, message, ms: kit.clock.now() - started })
    throw failure
  } finally {
    deadline.end()
  }
}

function searchOf({ ports }: SearchKit): Search {
  const port = ports.get(searchPort.name) as Search | undefined
  if (port) return port
  throw missingPort(searchPort, 'A search')
}

type SearchEvent =
  | { readonly kind: 'search.completed'; readonly results: number; readonly credits: number; readonly ms: number }
  | { readonly kind: 'search.failed'; readonly code: string; readonly message: string; readonly ms: number }

interface Answered {
  readonly found: Found
  readonly count: number
  readonly credits: number
  readonly warnings: readonly string[]
}

/** Queries each source. A source that fails is only a warning if another one returns results. */
async function ask(request: SearchRequest, port: Search, team: string, { signal }: Deadline): Promise<Answered> {
  const planned = request.sources.map((source) => planQuery(request, source, team, port))
  const warnings = planned.flatMap((plan) => plan.warnings)
  const threats = threatRules(request.threatProtection)
  if (planned.length === 0) warnings.push('None of the sources is available. Use web, news or images.')
  const failures: unknown[] = []
  const parts = await Promise.all(
    planned.map(async ({ query }): Promise<Found> => {
      if (!port.sources.includes(query.source)) {
        warnings.push(`The search backend ${port.name} has no source ${query.source}.`)
        return resultsOf(query, [])
      }
      try {
        return resultsOf(query, takeHits(await untilAborted(port.find(query, signal), signal), query, request, threats))
      } catch (error) {
        signal.throwIfAborted()
        failures.push(error)
        warnings.push(`The source ${query.source} failed. ${publicMessage(typed(error))}`)
        return resultsOf(query, [])
      }
    }),
  )
  const found: Found = Object.assign({}, ...parts)
  const count = Object.values(found).flat().length
  if (count === 0 && failures.length > 0) throw failures[0]
  const isFree = count === 0 && port.onlyIn !== undefined
  if (isFree) warnings.push(port.onlyIn)
  return {
    found,
    count,
    credits: isFree ? 0 : searchPrice(count, isPrivate(request)),
    warnings: [...new Set(warnings)],
  }
}

function resultsOf(query: SearchQuery, hits: readonly SearchHit[]): Found {
  const results: Readonly<Record<SearchSource, () => Found>> = {
    web: () => ({ web: hits.map((hit, at) => webResult(hit, at, query)) }),
    news: () => ({ news: hits.map((hit, at) => newsResult(hit, at, query)) }),
    images: () => ({ images: hits.flatMap((hit, at) => imageResult(hit, at) ?? []) }),
  }
  return results[query.source]()
}

/** Adds the pages to the results. The results are returned even if no page can be scraped. */
async function withPages(
  request: SearchRequest,
  { found, warnings }: Answered,
  deadline: Deadline,
  { id, kit, parts }: { readonly id: string; readonly kit: SearchKit; readonly parts: HoldParts },
): Promise<SearchResult> {
  const { images, ...pages } = found
  const added = await addPages(pages, request, deadline, { scrape: kit.scrapePage, parts })
  const { warnings: others, ...results } = added
  const { asyncScraping, scrapeOptions } = request
  const isLater = asyncScraping && scrapeOptions.formats.length > 0
  const begun = isLater ? await beginPages(pages, request, kit.scrapePage) : undefined
  const all = [...warnings, ...others, ...(begun?.warnings ?? [])]
  return {
    id,
    ...results,
    ...(images && { images }),
    ...(begun?.scrapeIds && { scrapeIds: begun.scrapeIds }),
    ...(all.length > 0 && { warning: all.join(' ') }),
    creditsUsed: parts.spent,
  }
}

function tooLate(timeout: number): EngineError {
  return new EngineError(
    'search_timeout',
    `The search did not end within ${timeout} ms. Raise timeout, or lower limit.`,
  )
}

function typed(error: unknown): EngineError {
  if (EngineError.is(error)) return error
  return new EngineError('search_failed', 'The search failed. See the cause, and check its settings.', {
    cause: error,
  })
}
