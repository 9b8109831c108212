import { type SearchQuery, type SearchSource, withOperators } from '@harvestman/ports'

export interface InstanceChoice {
  readonly engines: readonly string[]
  readonly categories: readonly string[]
}

/**
 * Builds the URL of one page of results. Pages are numbered from 1. Dates are not included, because SearXNG supports only time
 * spans, and a span of an hour becomes a day.
 */
export function searchUrl(endpoint: URL, query: SearchQuery, page: number, choice: InstanceChoice): URL {
  const address = new URL(endpoint)
  const { time, safe, language, country } = query
  const range = time && 'within' in time ? rangeOf[time.within] : undefined
  const parameters = {
    q: withOperators(query),
    format: 'json',
    categories: categoriesOf(query.source, choice.categories).join(','),
    engines: choice.engines.join(','),
    language: country === undefined ? language : `${language}-${country}`,
    time_range: range,
    safesearch: safe === undefined ? undefined : safe ? '2' : '0',
    pageno: String(page),
  }
  for (const [name, value] of Object.entries(parameters)) if (value) address.searchParams.set(name, value)
  return address
}

/** A day is the shortest time range of SearXNG. */
const rangeOf = { hour: 'day', day: 'day', week: 'week', month: 'month', year: 'year' } as const

function categoriesOf(source: SearchSource, web: readonly string[]): readonly string[] {
  if (source !== 'web') return [source]
  return web.length > 0 ? web : ['general']
}
