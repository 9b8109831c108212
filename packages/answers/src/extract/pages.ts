// Resolves the pages that an extract reads, and the scrape options of each.
import { EngineError } from '@harvestman/ports'
import { loosenSchema, searchPort, webUrl, type RequiredPort, type SiteKit } from '@harvestman/core/plugin'

import type { ExtractRequest } from './request.ts'

/** Maximum number of pages added by a web search. */
const maxSearchResults = 5

interface Given {
  readonly entry: string
  /** Whether the entry ends with `/*`, which means all pages of the site below it. */
  readonly isSite: boolean
  /** Absent if the entry is not a valid URL. */
  readonly url: string | undefined
  readonly problem: string
}

function read(given: string): Given {
  const isSite = given.endsWith('/*')
  const { data, error } = webUrl.safeParse(isSite ? given.slice(0, -1) : given)
  return { entry: given, isSite, url: data, problem: error?.issues[0]?.message ?? '' }
}

/** Returns the entries that are not valid URLs. The `*` at the end of `/*`, which means a whole site, is ignored. */
export function findInvalidUrls(urls: readonly string[]): readonly string[] {
  return urls.filter((given) => read(given).url === undefined)
}

/**
 * Returns the URLs to read: the given pages, at most `limit` pages of each site (`/*`), and at most 5 search results for the
 * prompt, with `enableWebSearch` or without URLs. Rejects with `invalid_request` if there are none, and for an invalid entry
 * unless `ignoreInvalidURLs` is set; also with the errors of the map and the search.
 */
export async function resolveExtractUrls(request: ExtractRequest, site: SiteKit): Promise<readonly string[]> {
  const { limit, prompt, ignoreSitemap, includeSubdomains } = request
  const options = { words: prompt, sitemap: ignoreSitemap ? ('skip' as const) : undefined, includeSubdomains }
  const urls: string[] = []
  for (const { entry, url, isSite, problem } of request.urls.map(read)) {
    if (url === undefined) {
      if (!request.ignoreInvalidURLs) throw new EngineError('invalid_request', `urls: ${entry} ${problem}`)
    } else if (isSite) {
      const found = await site.urls(url, limit, options)
      urls.push(...found.slice(0, limit))
    } else urls.push(url)
  }
  if (prompt !== undefined && searches(request)) urls.push(...(await site.search(prompt, maxSearchResults)))
  if (urls.length === 0) throw new EngineError('invalid_request', 'urls: none of them is the address of a page.')
  return urls
}

function searches({ enableWebSearch, urls }: ExtractRequest): boolean {
  return enableWebSearch || urls.length === 0
}

/**
 * Returns the ports that an extract needs: the web search if the request uses it, otherwise none. Empty for an extract by an
 * agent, because agents declare their own.
 */
export function requiredPorts(request: ExtractRequest): readonly RequiredPort[] {
  if (request.agent || !searches(request)) return []
  return [
    { port: searchPort, because: request.urls.length > 0 ? 'The option enableWebSearch' : 'An extract without urls' },
  ]
}

/**
 * Returns the scrape options of each page, with `json` as the only format. No field is required per page, because another page
 * may have it. The timeout of a page is at least 60 s, but not longer than that of the request.
 */
export function pageOptionsFor({ schema, prompt, systemPrompt, scrapeOptions, ...request }: ExtractRequest) {
  const { zeroDataRetention, timeout = Infinity } = request
  const options = {
    ...(schema && { schema: loosenSchema(schema) }),
    ...(prompt !== undefined && { prompt }),
    ...(systemPrompt !== undefined && { systemPrompt }),
  }
  return {
    ...scrapeOptions,
    formats: [{ type: 'json', citations: true, ...options }],
    // Language models are slower than page loads.
    timeout: Math.min(Math.max(scrapeOptions.timeout, 60_000), Math.max(timeout, 1_000)),
    zeroDataRetention: zeroDataRetention || scrapeOptions.zeroDataRetention,
  }
}

/**
 * Converts an extract request to an agent request. The system prompt precedes the prompt, and invalid URLs are skipped if the
 * request ignores them and has valid ones. The agent stays within the given URLs, if there are any, unless web search is
 * enabled. It has its own limits, so the options for pages and the timeout have no effect.
 */
export function toAgentRequest(request: ExtractRequest): object {
  const { urls, prompt = 'Find what the schema asks for.', systemPrompt, schema, enableWebSearch } = request
  const { ignoreInvalidURLs, maxCredits, webhook, threatProtection } = request
  const valid = urls.map(read).filter(({ url }) => url !== undefined)
  const begin = ignoreInvalidURLs && valid.length > 0 ? valid.map(({ entry }) => entry) : urls
  return {
    prompt: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    urls: begin.map((entry) => entry.replace(/\*$/, '')),
    ...(schema && { schema }),
    strictConstrainToURLs: begin.length > 0 && !enableWebSearch,
    ...(maxCredits !== undefined && { maxCredits }),
    ...(webhook && { webhook }),
    ...(threatProtection && { threatProtection }),
  }
}
