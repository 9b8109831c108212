import type { RateVerdict } from '@harvestman/core'
import type { Clock, Store } from '@harvestman/ports'

import { hostingKeys } from '../keys.ts'

/** Counts requests per minute, across all processes on a shared store. */
export interface Rates {
  /** Counts one request under this name, unless the limit is reached. */
  take(name: string, limit: number): Promise<RateVerdict>
}

const minute = 60_000

/**
 * Creates the counters of requests per clock minute, which all engines on the store share. `resetsIn` is in milliseconds.
 * `take` rejects if the store fails.
 */
export function makeRates(store: Store, clock: Clock): Rates {
  return {
    take: async (name, limit) => {
      const now = clock.now()
      const window = Math.floor(now / minute)
      let isAllowed = false
      let count = 0
      const key = hostingKeys.rate(`${JSON.stringify(name)}/${window}`)
      const add = (old: unknown): number => {
        const used = typeof old === 'number' ? old : 0
        isAllowed = used < limit
        count = isAllowed ? used + 1 : used
        return count
      }
      await store.update(key, add, { ttl: 2 * minute })
      return { isAllowed, limit, remaining: Math.max(0, limit - count), resetsIn: (window + 1) * minute - now }
    },
  }
}
