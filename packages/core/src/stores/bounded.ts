import { EngineError } from '../errors/error.ts'
import { recentlyUsed } from '../lib/recently-used.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

/**
 * Bytes in memory, the least used forgotten first. It may forget what a store must keep, so it is no `Store`: it is what
 * a cache needs and no more.
 */
export function boundedMemory(bytes: number, clock: Clock): Pick<Store, 'get' | 'set'> {
  const entries = recentlyUsed<{ readonly value: Uint8Array; readonly until: number }>(
    bytes,
    ({ value }) => value.byteLength,
  )
  return {
    get: async (key) => {
      const entry = entries.get(key)
      return entry && entry.until > clock.now() ? entry.value : undefined
    },
    set: async (key, value, { ttl = Infinity } = {}) => {
      if (!(value instanceof Uint8Array)) throw new EngineError('store_failed', 'Bounded memory keeps bytes only.')
      entries.set(key, { value, until: clock.now() + ttl })
    },
  }
}
