/** Price of a request, known before any of its work is done. */
export interface Preview {
  /** Credits when all of it succeeds in the cheapest way. Failures cost nothing. */
  readonly min: number
  /**
   * Credits when each page is an ordinary web page without a retry, and a crawl finds as many pages as its limit allows. Absent
   * when it cannot be foreseen.
   */
  readonly expected?: number
  /** It never costs more; absent when a format of it has no bound. */
  readonly max?: number
  /** Its parts, for one page where there are several. */
  readonly reasons: readonly PriceReason[]
}

/** A part of a price. */
export interface PriceReason {
  readonly what: string
  readonly min: number
  readonly expected?: number
  /** Absent when it has no bound. */
  readonly max?: number
}

export interface Count {
  readonly least: number
  readonly most: number
  readonly maxCredits?: number | undefined
}

/** Price of many pages together. */
export function many(page: Preview, { least, most, maxCredits = Infinity }: Count, what: string): Preview {
  const max = Math.min((page.max ?? Infinity) * most, maxCredits)
  const count = least === most ? `${most}` : `Up to ${most}`
  const cap = maxCredits < Infinity ? [{ what: 'No more than maxCredits', min: 0, max: maxCredits }] : []
  const { expected } = page
  return {
    min: Math.min(page.min * least, maxCredits),
    ...(expected !== undefined && { expected: Math.min(expected * most, maxCredits) }),
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
