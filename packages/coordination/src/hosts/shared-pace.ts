import type { Clock, Store } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'

/** The pause that a host asks for, kept by all engines on one store together. */
export interface SharedPace {
  /** Resolves when the next visit to the host may start; rejects when the signal is aborted. */
  await(host: string, pause: number, signal: AbortSignal): Promise<void>
}

// A moment further away was written by a clock that is wrong.
const mostAhead = 64

/**
 * Each visit takes the next free moment of its host, which is one write. Hosts that ask for no pause cost nothing. When
 * the store does not answer, the engine keeps the pause on its own.
 */
export function sharedPace(store: Store, clock: Clock): SharedPace {
  return {
    await: async (host, pause, signal) => {
      const now = clock.now()
      let start = now
      const take = (old: unknown): { readonly next: number } => {
        const next = (old as { readonly next: number } | undefined)?.next ?? now
        start = next > now + pause * mostAhead ? now : Math.max(next, now)
        return { next: start + pause }
      }
      await store.update(coordinationKeys.pace(host), take, { ttl: pause * mostAhead }).catch(() => undefined)
      if (start > now) await clock.sleep(start - now, signal)
      signal.throwIfAborted()
    },
  }
}
