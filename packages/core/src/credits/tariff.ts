import type { Usage } from '../ports/llm.ts'

/** The price list, in credits. */
export const tariff = {
  /** A page of any type; of a file with pages, each of them. */
  page: 1,
  /** A map, however many links it gives. */
  map: 1,
  /** On top, for a page that an enhanced proxy brought: 5 in total. */
  enhancedProxy: 4,
} as const

interface Priced {
  readonly format: { readonly credits: (options: never, usage: Usage) => number }
  readonly options: unknown
  /** What working it out used of a language model. */
  readonly usage: Usage
}

/** Prices a finished scrape: its pages, and what the formats and the way they were loaded ask for on top. */
export function priceOf(formats: readonly Priced[], units: number, hasEnhancedProxy = false): number {
  const extras = formats.map(({ format, options, usage }) => format.credits(options as never, usage))
  const page = tariff.page * Math.max(1, units) + (hasEnhancedProxy ? tariff.enhancedProxy : 0)
  return extras.reduce((sum, credits) => sum + credits, page)
}
