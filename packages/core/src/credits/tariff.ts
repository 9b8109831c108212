/** The price list, in credits. */
export const tariff = {
  /** A page of any type; of a file with pages, each of them. */
  page: 1,
} as const

interface Priced {
  readonly format: { readonly credits: (options: never) => number }
  readonly options: unknown
}

/** Prices a finished scrape: its pages, and what the formats ask for on top. */
export function priceOf(formats: readonly Priced[], units: number): number {
  const extras = formats.map(({ format, options }) => format.credits(options as never))
  return extras.reduce((sum, credits) => sum + credits, tariff.page * Math.max(1, units))
}
