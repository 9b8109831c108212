import type { Clock, Store } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'

/** The crawl delay of a host, respected by all engines on one store together. */
export interface SharedPace {
  /** Resolves when the next request to the host may start; rejects when the signal is aborted. */
  await(host: string, pause: number, signal: AbortSignal): Promise<void>
}

// Maximum number of pauses ahead: a later time was written by an engine with a wrong clock.
const maxPausesAhead = 64

/**
 * Creates a shared delay per host, in milliseconds: each request reserves the next free time of its host with one write, and
 * waits for it. Do not call it for hosts without a delay. If the store fails, it does not wait: only the caller's own delay
 * applies. Rejects only if the signal is aborted.
 */
export function sharedPace(store: Store, clock: Clock): SharedPace {
  return {
    await: async (host, pause, signal) => {
      const now = clock.now()
      let start = now
      const take = (old: unknown): { readonly next: number } => {
        const next = (old as { readonly next: number } | undefined)?.next ?? now
        start = next > now + pause * maxPausesAhead ? now : Math.max(next, now)
        return { next: start + pause }
      }
      await store.update(coordinationKeys.pace(host), take, { ttl: pause * maxPausesAhead }).catch(() => undefined)
      if (start > now) await clock.sleep(start - now, signal)
      signal.throwIfAborted()
    },
  }
}
