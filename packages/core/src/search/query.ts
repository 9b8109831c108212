// Translates a search request into the queries of the search port.
import type { Search, SearchQuery, SearchWish } from '@harvestman/ports'
import type { AskedSource, SearchRequest } from '../schema/search.ts'
import { searchCategories } from './categories.ts'
import { readTime } from './time.ts'

/** A query, and warnings about options without effect. */
export interface PlannedQuery {
  readonly query: SearchQuery
  readonly warnings: readonly string[]
}

/**
 * Plans the query for a source. Options of the source override the options of the request. Options that have no effect give
 * warnings.
 */
export function planQuery(request: SearchRequest, source: AskedSource, team: string, search: Search): PlannedQuery {
  const { query: words, maxPerHost, includeDomains, excludeDomains, safe } = request
  // Some of them are skipped when a host has too many.
  const limit = maxPerHost === undefined ? request.limit : Math.min(maxLimit, request.limit * 3)
  const { tbs = request.tbs, lang = request.lang, location = request.location } = source
  const { time, newestFirst, unknown } = readTime(tbs ?? '')
  const country = source.country ?? request.country ?? (location === undefined ? defaultPlace.country : undefined)
  const query: SearchQuery = {
    team,
    words,
    source: source.type,
    limit,
    language: lang,
    country,
    location,
    time,
    newestFirst,
    safe,
    includeDomains,
    excludeDomains,
    categories: request.categories.flatMap((name) => searchCategories[name] ?? []),
  }
  return {
    query,
    warnings: [
      ...unknown.map((part) => `tbs: ${part} is not known and has no effect.`),
      ...optionsIn(query)
        .filter((wish) => !search.follows.includes(wish))
        .map((wish) => `The option ${optionOf[wish]} has no effect on ${search.name}.`),
    ],
  }
}

const maxLimit = 100

/** Clients send these with every search, so they do not count as explicit options. */
const defaultPlace = { language: 'en', country: 'US' }

const optionOf: Readonly<Record<SearchWish, string>> = {
  language: 'lang',
  country: 'country',
  location: 'location',
  time: 'tbs',
  newestFirst: 'tbs: sbd:1',
  category: 'categories',
  safe: 'safe',
}

function optionsIn(query: SearchQuery): readonly SearchWish[] {
  const isSet: Readonly<Record<SearchWish, boolean>> = {
    language: query.language !== defaultPlace.language,
    country: query.country !== undefined && query.country !== defaultPlace.country,
    location: query.location !== undefined,
    time: query.time !== undefined,
    newestFirst: query.newestFirst,
    category: query.categories.length > 0,
    safe: query.safe === true,
  }
  return (Object.keys(isSet) as SearchWish[]).filter((wish) => isSet[wish])
}
