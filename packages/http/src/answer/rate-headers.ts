import type { RateVerdict } from '@harvestman/core'

/**
 * Returns headers that tell the caller the state of its rate limit; none without a limit. `x-ratelimit-reset` is in seconds
 * from now, rounded up.
 */
export function rateHeaders(rate: RateVerdict | undefined): Readonly<Record<string, string>> {
  if (!rate) return {}
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(Math.ceil(rate.resetsIn / 1_000)),
  }
}
