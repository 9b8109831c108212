import type { Stop, Store } from '@harvestman/ports'

export interface WatchOptions {
  /** Polling interval in milliseconds, if the store has no change notifications. */
  readonly every: number
}

/** Factor for the polling interval if the store has notifications: polling finds changes missed by a broken connection. */
const rarely = 20

/**
 * Calls `changed` when the key may have been written, so that the caller reads it again: at once if the store has notifications,
 * and at intervals otherwise. Resolves to the function that stops watching. Never rejects: if the store is unavailable, polling
 * continues.
 */
export async function watchKey(store: Store, key: string, changed: () => void, { every }: WatchOptions): Promise<Stop> {
  const stopWatching = await store.watch?.(key, changed).catch(() => undefined)
  const looking = setInterval(changed, stopWatching ? every * rarely : every).unref()
  return async () => {
    clearInterval(looking)
    await stopWatching?.().catch(() => undefined)
  }
}
