import type { Stop } from '../queue.ts'

/** Watchers of keys of one store, in this process. */
export interface KeyWatchers {
  /** The keys that are watched. */
  readonly keys: ReadonlyMap<string, unknown>
  add(key: string, changed: () => void): Stop
  tell(key: string): void
  /** Tells all watchers, when it is not known what changed. */
  tellAll(): void
  clear(): void
}

/** Told when the first watcher of a key comes and the last goes. */
export interface WatchedKeys {
  /** Is called when a key is watched for the first time; it is watched once this has resolved. */
  readonly began?: (key: string) => void
  /** Is called when no watcher is left for a key. */
  readonly ended?: (key: string) => void
}

/** A watcher that throws harms neither the others nor the write it is told of. */
export function keyWatchers({ began, ended }: WatchedKeys = {}): KeyWatchers {
  const watched = new Map<string, Set<() => void>>()
  const tell = (key: string): void => {
    for (const changed of watched.get(key) ?? []) queueMicrotask(changed)
  }
  return {
    keys: watched,
    tell,
    tellAll: () => {
      for (const key of watched.keys()) tell(key)
    },
    clear: () => watched.clear(),
    add: (key, changed) => {
      // A function of its own, so that one that is given twice is told twice.
      let isWatching = true
      const told = (): void => {
        if (!isWatching) return
        try {
          changed()
        } catch {
          // It is the watcher's to catch.
        }
      }
      const those = watched.get(key) ?? new Set()
      watched.set(key, those.add(told))
      if (those.size === 1) began?.(key)
      return async () => {
        isWatching = false
        those.delete(told)
        if (those.size > 0 || watched.get(key) !== those) return
        watched.delete(key)
        ended?.(key)
      }
    },
  }
}
