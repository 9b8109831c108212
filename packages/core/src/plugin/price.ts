/** Price of a request in credits, before any of its work is done. */
export interface Preview {
  /** Price if everything succeeds in the cheapest way. Failures are free. */
  readonly min: number
  /**
   * Price if each page is an ordinary web page loaded without a retry, and a crawl finds as many pages as its limit allows.
   * Absent if it cannot be estimated.
   */
  readonly expected?: number
  /** Upper limit of the price; absent if a format's price is unlimited. */
  readonly max?: number
  /** Parts of the price. For a request with several pages, the parts of one page. */
  readonly reasons: readonly PriceReason[]
}

/** A part of a price. */
export interface PriceReason {
  readonly what: string
  readonly min: number
  readonly expected?: number
  /** Absent if there is no upper limit. */
  readonly max?: number
}

/** Minimum and maximum number of pages, and the credit limit of the request. */
export interface PageCounts {
  readonly least: number
  readonly most: number
  readonly maxCredits?: number | undefined
}

/**
 * Returns the price of many pages together, in credits and limited by `maxCredits`. Without a maximum price of one page and
 * without `maxCredits`, there is no maximum.
 */
export function priceOfPages(page: Preview, { least, most, maxCredits = Infinity }: PageCounts, what: string): Preview {
  const max = Math.min(times(page.max ?? Infinity, most), maxCredits)
  const count = least === most ? `${most}` : `Up to ${most}`
  const cap = maxCredits < Infinity ? [{ what: 'No more than maxCredits', min: 0, max: maxCredits }] : []
  const { expected } = page
  return {
    min: Math.min(page.min * least, maxCredits),
    ...(expected !== undefined && { expected: Math.min(times(expected, most), maxCredits) }),
    ...(max < Infinity && { max }),
    reasons: [
      {
        what: `${count} ${what}, each`,
        min: page.min,
        ...(expected !== undefined && { expected }),
        ...(page.max !== undefined && { max: page.max }),
      },
      ...page.reasons,
      ...cap,
    ],
  }
}

/** Multiplies a price: nothing without a limit is nothing, not `NaN`. */
function times(price: number, count: number): number {
  return price === 0 || count === 0 ? 0 : price * count
}
