// Pages that an extract reads, and the options of each.
import { EngineError } from '@harvestman/ports'
import { loosened, searchPort, webUrl, type RequiredPort, type SiteKit } from '@harvestman/core/plugin'

import type { ExtractRequest } from './request.ts'

/** Pages that a search adds. */
const mostFound = 5

interface Given {
  readonly given: string
  /** Stands for the pages of a site. */
  readonly isSite: boolean
  /** The address; absent when it is none. */
  readonly url: string | undefined
  readonly problem: string
}

function read(given: string): Given {
  const isSite = given.endsWith('/*')
  const { data, error } = webUrl.safeParse(isSite ? given.slice(0, -1) : given)
  return { given, isSite, url: data, problem: error?.issues[0]?.message ?? '' }
}

/** The addresses of a request that are none. */
export function invalidIn(urls: readonly string[]): readonly string[] {
  return urls.filter((given) => read(given).url === undefined)
}

/** The pages that the addresses stand for, and those that a search for the prompt finds. */
export async function pagesFor(request: ExtractRequest, site: SiteKit): Promise<readonly string[]> {
  const { limit, prompt, ignoreSitemap, includeSubdomains } = request
  const options = { words: prompt, sitemap: ignoreSitemap ? ('skip' as const) : undefined, includeSubdomains }
  const urls: string[] = []
  for (const { given, url, isSite, problem } of request.urls.map(read)) {
    if (url === undefined) {
      if (!request.ignoreInvalidURLs) throw new EngineError('invalid_request', `urls: ${given} ${problem}`)
    } else if (isSite) {
      const found = await site.addresses(url, limit, options)
      urls.push(...found.slice(0, limit))
    } else urls.push(url)
  }
  if (prompt !== undefined && searches(request)) urls.push(...(await site.search(prompt, mostFound)))
  if (urls.length === 0) throw new EngineError('invalid_request', 'urls: none of them is the address of a page.')
  return urls
}

function searches({ enableWebSearch, urls }: ExtractRequest): boolean {
  return enableWebSearch || urls.length === 0
}

/** An agent says by itself what it needs. */
export function requiredFor(request: ExtractRequest): readonly RequiredPort[] {
  if (request.agent || !searches(request)) return []
  return [
    { port: searchPort, because: request.urls.length > 0 ? 'The option enableWebSearch' : 'An extract without urls' },
  ]
}

/** Options of each page. Required values may stand on another page. */
export function pageOf({ schema, prompt, systemPrompt, scrapeOptions, ...request }: ExtractRequest) {
  const { zeroDataRetention, timeout = Infinity } = request
  const options = {
    ...(schema && { schema: loosened(schema) }),
    ...(prompt !== undefined && { prompt }),
    ...(systemPrompt !== undefined && { systemPrompt }),
  }
  return {
    ...scrapeOptions,
    formats: [{ type: 'json', ...options }],
    // A model takes longer than a page.
    timeout: Math.min(Math.max(scrapeOptions.timeout, 60_000), Math.max(timeout, 1_000)),
    zeroDataRetention: zeroDataRetention || scrapeOptions.zeroDataRetention,
  }
}

/** The same in the words of an agent, which stays with the addresses unless the web may be searched. */
export function agentRequestOf(request: ExtractRequest): object {
  const { urls, prompt = 'Find what the schema asks for.', schema, enableWebSearch, maxCredits, webhook } = request
  const begin = urls.map((url) => url.replace(/\*$/, ''))
  return {
    prompt,
    urls: begin,
    ...(schema && { schema }),
    strictConstrainToURLs: begin.length > 0 && !enableWebSearch,
    ...(maxCredits !== undefined && { maxCredits }),
    ...(webhook && { webhook }),
  }
}
