import { oldestKeys } from './oldest-keys.ts'

/** A map that forgets what was not used for longest when its values outgrow the limit. */
export interface RecentlyUsed<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  /** Returns the keys, the least recently used first. */
  keys(): string[]
}

/** Makes a cache that forgets what was not used for longest. */
export function recentlyUsed<T>(limit: number, sizeOf: (value: T) => number): RecentlyUsed<T> {
  const entries = new Map<string, { readonly value: T; readonly size: number }>()
  const oldest = oldestKeys(entries)
  let total = 0
  const isFull = (): boolean => total > limit
  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    total -= entry.size
    entries.delete(key)
  }
  return {
    get: (key) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      // A map keeps the order of insertion, so the first key is the one unused for longest.
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set: (key, value) => {
      remove(key)
      const size = sizeOf(value)
      if (size > limit) return
      entries.set(key, { value, size })
      total += size
      while (isFull()) remove(oldest()!)
    },
    delete: remove,
    keys: () => [...entries.keys()],
  }
}
