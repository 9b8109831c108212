/** Delays between attempts, in milliseconds. */
export interface Backoff {
  /** The delay after the first failure. It doubles with each further failure, up to `longest`. */
  readonly first: number
  readonly longest: number
  /** True to vary each delay by up to 25%, so that many callers do not retry at the same moment. */
  readonly isSpread?: boolean
}

/**
 * Returns the delay in milliseconds after this many consecutive failures: `first`, doubled each time, at most `longest`. With
 * `isSpread` the result then varies randomly by up to a quarter in both directions.
 */
export function backoffAfter(failures: number, { first, longest, isSpread = false }: Backoff): number {
  const wait = Math.min(first * 2 ** Math.max(failures - 1, 0), longest)
  return isSpread ? wait * (0.75 + Math.random() / 2) : wait
}
