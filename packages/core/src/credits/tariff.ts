import type { Usage } from '@harvestman/ports'

/** The price list, in credits. */
export const tariff = {
  /** A page of any type; of a file with pages, each of them; of a file that is not parsed, the whole. */
  page: 1,
  /** Instead, for a page that is compared with an earlier visit and need not be loaded. */
  unchanged: 0,
  /** On top, for a page that an enhanced proxy brought: 5 in total. `auto` costs it only when the enhanced try won. */
  enhancedProxy: 4,
  /** On top, for a format that a language model works out: 5 in total. So is change tracking with the mode `json`. */
  modelFormat: 4,
  /** On top, for a page of which nothing is kept. */
  zeroDataRetention: 1,
  /** A map, however many links it gives. */
  map: 1,
  /** A search, for each started group of results; the pages that are scraped for it cost what they cost. */
  search: { credits: 2, creditsWhenPrivate: 10, results: 10 },
  /** Tokens of a language model that cost one credit, where work is paid for by tokens: an extract. */
  tokensOfCredit: 15,
  /** The same for an agent, which reads much to say little. */
  tokensOfAgentCredit: 150,
} as const

/** Eleven results cost as much as twenty. One that keeps nothing costs more. */
export function searchPrice(results: number, isPrivate = false): number {
  const { credits, creditsWhenPrivate, results: group } = tariff.search
  return (isPrivate ? creditsWhenPrivate : credits) * Math.max(1, Math.ceil(results / group))
}

/** The credits that tokens of a language model cost. */
export function tokenPrice({ inputTokens, outputTokens }: Usage, tokens: number = tariff.tokensOfCredit): number {
  return Math.ceil((inputTokens + outputTokens) / tokens)
}
