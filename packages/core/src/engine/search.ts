import { noteRequest } from './requests.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { someTeam } from './some-team.ts'
import { makeDocumentParser, type ParseDocument } from './own-schemas.ts'
import type { SearchCall } from './types.ts'
import { EngineError } from '@harvestman/ports'
import { check } from '../schema/problems.ts'
import type { PageRequest } from '../schema/crawl.ts'
import { isPrivate, type searchSchema, type SearchRequest } from '../schema/search.ts'
import type { JobCaller } from '../jobs/jobs.ts'
import type { Caller } from '../scrape/caller.ts'
import type { Kit } from '../scrape/kit.ts'
import { isShortened, makePlan } from '../scrape/plan.ts'
import { scrape } from '../scrape/scrape.ts'
import type { PageScrape } from '../search/pages.ts'
import type { SearchResult } from '../search/search.ts'
import { checkFormatScope } from '../gates/scopes.ts'
import { waitForPermit, type RequestPermits } from '@harvestman/coordination'

export interface SearchFunctionOptions {
  readonly kit: Kit
  readonly schemas: { readonly search: ReturnType<typeof searchSchema> }
  readonly gate: RequestGate
  readonly requests: RequestPermits
  readonly startScrapes: StartScrapes
}

/** Starts scraping pages in the background. Returns their ids, in order. */
export type StartScrapes = (
  urls: readonly string[],
  options: PageRequest,
  call: JobCaller,
) => Promise<readonly string[]>

export type SearchFunction = (input: unknown, call?: SearchCall) => Promise<SearchResult>

/** Milliseconds reserved at the end of a search. A page that would have less than this is not started. */
const reserve = 500

/**
 * Creates the search function. Its pages are scraped like any others, each with a permit of the team. Failures are noted and
 * rethrown.
 */
export function makeSearch({ kit, schemas, gate, requests, startScrapes }: SearchFunctionOptions): SearchFunction {
  return async (input, call = {}) => {
    const { team = someTeam, signal, key, apiVersion } = call
    const id = kit.newId()
    const note = noteRequest(gate, 'search', withoutTrace(input), { team, key, apiVersion }, id)
    try {
      const { limits } = await gate.admit({ group: 'search' }, { ...call, team })
      const request = plannable(check(schemas.search, input), kit)
      kit.around.check(request)
      checkFormatScope(request.scrapeOptions.formats, call, kit.registry.formats)
      const caller = { team, id, task: id, signal, keep: false, key, begun: note.begun }
      const fit = makeDocumentParser(input, kit.registry.formats)
      const scrapePage = pageScrape(isPrivate(request), { ...call, team, limits, fit }, { requests, kit, startScrapes })
      const work = { id, team, request, isOfJob: false }
      const { search } = await import('../search/search.ts')
      return await kit.around.run(work, () => search(request, caller, { ...kit, scrapePage }))
    } catch (error) {
      note.refused(error)
      throw error
    }
  }
}

/** Throws for options with which no page of the search could be scraped, before the search runs. */
function plannable(request: SearchRequest, kit: Kit): SearchRequest {
  const { scrapeOptions, asyncScraping } = request
  if (scrapeOptions.formats.length === 0) return request
  // A search ends within its timeout, so its pages cannot wait.
  if (scrapeOptions.person && !asyncScraping) {
    const remedy = 'Use asyncScraping, or scrape the results.'
    throw new EngineError('invalid_request', `scrapeOptions.person cannot be used for the pages of a search. ${remedy}`)
  }
  const { formats } = makePlan({ ...scrapeOptions, url: 'https://example.com/' }, kit)
  const short = request.maxTokens === undefined ? undefined : formats.find(isShortened)
  if (short) {
    const problem = `maxTokens of a search cannot be used with an option that limits the format ${short.format.type}`
    throw new EngineError('invalid_request', `${problem}. Remove one of them.`)
  }
  return request
}

function pageScrape(
  isPrivate: boolean,
  call: SearchCall & { readonly team: string; readonly fit: ParseDocument | undefined },
  { requests, kit, startScrapes }: Pick<SearchFunctionOptions, 'requests' | 'kit' | 'startScrapes'>,
): PageScrape {
  const { team, limits = {}, keep = false, filesAt, key, fit } = call
  const scrapeOne = async (
    url: string,
    options: PageRequest,
    most: number,
    page: Pick<Caller, 'id' | 'signal' | 'keep' | 'hold'>,
  ) => {
    const permit = await waitForPermit(requests, team, limits, most, page.signal)
    try {
      const timeout = Math.max(1, most - Math.round(permit.waited))
      const zeroDataRetention = options.zeroDataRetention || isPrivate
      const caller = { ...page, team, task: page.id, filesAt, key, isOneOfMany: true }
      const request = { ...options, url, timeout, zeroDataRetention }
      return (await scrape(request, caller, kit, { fit })).document
    } finally {
      permit.release()
    }
  }
  return {
    now: async (url, options, { signal, timeLeft }, hold) => {
      const most = Math.min(options.timeout, Math.floor(timeLeft()) - reserve)
      if (most < reserve) throw new EngineError('timeout', 'The search had no time left for this page. Raise timeout.')
      return scrapeOne(url, options, most, { id: kit.newId(), signal, keep, hold })
    },
    later: (urls, options) => startScrapes(urls, options, { team, limits, key, filesAt }),
  }
}

/** Marks private searches with `zeroDataRetention`, so that they are not in the activity log. */
function withoutTrace(input: unknown): unknown {
  const { enterprise } = (typeof input === 'object' && input !== null ? input : {}) as { readonly enterprise?: unknown }
  const isTraceless = Array.isArray(enterprise) && enterprise.some((kind) => kind === 'zdr' || kind === 'anon')
  return isTraceless ? { ...(input as object), zeroDataRetention: true } : input
}
