import type { Usage } from '@harvestman/ports'

/** The price list, in credits. */
export const tariff = {
  /** For each page: a page of any type, each page of a parsed file, or a whole file that is not parsed. */
  page: 1,
  /** Replaces `page` if the page is compared with an earlier visit and need not be loaded. */
  unchanged: 0,
  /** Surcharge for a page loaded through an enhanced proxy: 5 in total. With `auto`, only if the enhanced attempt was used. */
  enhancedProxy: 4,
  /** Surcharge for a format computed by a language model: 5 in total. Also for change tracking in `json` mode. */
  modelFormat: 4,
  /** Surcharge for a redacted page, and for each page of a redacted file. */
  redaction: 4,
  /**
   * Surcharge for a page that was checked for prompt injection in an engine with a language model, also if the rules found
   * instructions and the model was not called, and also if the scrape fails then.
   */
  screening: 4,
  /** Surcharge for a page of which nothing is stored. */
  zeroDataRetention: 1,
  /** Surcharge for a page from the cache with `lockdown`: 5 in total, instead of that for `zeroDataRetention`. */
  lockdown: 4,
  /** For a scrape with `lockdown` without a cached page. Other failures are free. */
  lockdownMiss: 1,
  /** For a map, whatever the number of links. */
  map: 1,
  /** For a search, per started group of results. Scraped pages are charged in addition. */
  search: { credits: 2, creditsWhenPrivate: 10, results: 10 },
  /** Number of language model tokens per credit, for work charged by tokens: an extract. */
  tokensOfCredit: 15,
  /** The same for an agent, which reads far more than it writes. */
  tokensOfAgentCredit: 150,
} as const

/**
 * Returns the price of a search in credits: 2 per group of ten results, or 10 for a private search. Started groups count in
 * full: eleven results cost as much as twenty, none as much as ten.
 */
export function searchPrice(results: number, isPrivate = false): number {
  const { credits, creditsWhenPrivate, results: group } = tariff.search
  return (isPrivate ? creditsWhenPrivate : credits) * Math.max(1, Math.ceil(results / group))
}

/**
 * Returns the price of language model tokens in credits, rounded up. `tokens` is the number of tokens per credit; default: 15.
 */
export function tokenPrice({ inputTokens, outputTokens }: Usage, tokens: number = tariff.tokensOfCredit): number {
  return Math.ceil((inputTokens + outputTokens) / tokens)
}
