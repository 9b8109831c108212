/** Waits between attempts, in milliseconds. */
export interface Backoff {
  /** The wait after the first failure. It doubles with each further one. */
  readonly first: number
  readonly longest: number
  /** True to vary each wait by up to a quarter, so that many callers do not return at the same moment. */
  readonly isSpread?: boolean
}

/** Returns how long to wait after so many failures in a row. */
export function backoffAfter(failures: number, { first, longest, isSpread = false }: Backoff): number {
  const wait = Math.min(first * 2 ** Math.max(failures - 1, 0), longest)
  return isSpread ? wait * (0.75 + Math.random() / 2) : wait
}
