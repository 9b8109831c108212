import type { Stop } from '../queue.ts'

/** Watchers of the keys of one store, in this process. */
export interface KeyWatchers {
  /** The watched keys. */
  readonly keys: ReadonlyMap<string, unknown>
  add(key: string, changed: () => void): Stop
  tell(key: string): void
  /** Notifies all watchers, for when it is unknown which keys changed. */
  tellAll(): void
  clear(): void
}

/** Callbacks for the first and the last watcher of a key. */
export interface WatchedKeys {
  /** Called when the first watcher of a key is added. */
  readonly began?: (key: string) => void
  /** Called when the last watcher of a key is removed. */
  readonly ended?: (key: string) => void
}

/**
 * Creates a set of watchers, which are called asynchronously. An error of a watcher affects neither the other watchers nor the
 * write that it was notified of.
 */
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
      // A new function each time, so that a callback that is added twice is called twice.
      let isWatching = true
      const notify = (): void => {
        if (!isWatching) return
        try {
          changed()
        } catch {
          // Watchers must handle their own errors.
        }
      }
      const those = watched.get(key) ?? new Set()
      watched.set(key, those.add(notify))
      if (those.size === 1) began?.(key)
      return async () => {
        isWatching = false
        those.delete(notify)
        if (those.size > 0 || watched.get(key) !== those) return
        watched.delete(key)
        ended?.(key)
      }
    },
  }
}
