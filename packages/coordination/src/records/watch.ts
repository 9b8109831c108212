import type { Stop, Store } from '@harvestman/ports'

export interface WatchOptions {
  /** Milliseconds between two looks of the caller where the store tells nothing. */
  readonly every: number
}

/** Factor for looks where the store tells: they find what a broken connection kept from being told. */
const rarely = 20

/**
 * Calls `changed` when the key may have been written, so that the caller reads it again: at once where the store can
 * tell, and from time to time where it cannot. Never rejects: a store that is away is looked at when it is back.
 */
export async function watchKey(store: Store, key: string, changed: () => void, { every }: WatchOptions): Promise<Stop> {
  const told = await store.watch?.(key, changed).catch(() => undefined)
  const looking = setInterval(changed, told ? every * rarely : every).unref()
  return async () => {
    clearInterval(looking)
    await told?.().catch(() => undefined)
  }
}
