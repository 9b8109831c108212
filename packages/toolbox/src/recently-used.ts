/** A cache that evicts the least recently used values when their sizes exceed the limit. */
export interface RecentlyUsed<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
  /** Returns the keys, least recently used first. */
  keys(): Key[]
}

/** Options of a cache. */
export interface RecentlyUsedOptions<Value> {
  /** Returns the size of a value; 1 when absent. */
  readonly sizeOf?: (value: Value) => number
  /** Called with each value that leaves the cache, for whatever reason. */
  readonly onRemoved?: (value: Value) => void
}

interface Entry<Value> {
  readonly value: Value
  readonly size: number
}

/**
 * Creates a cache of values whose sizes are at most `limit` in total; without `sizeOf`, that is a number of values. A larger
 * value is not cached. The least recently used values are evicted, and passed to `onRemoved`, as replaced and deleted ones are.
 */
export function recentlyUsed<Key, Value>(
  limit: number,
  { sizeOf = () => 1, onRemoved }: RecentlyUsedOptions<Value> = {},
): RecentlyUsed<Key, Value> {
  // A map keeps the order of insertion, so the first key is the least recently used.
  const entries = new Map<Key, Entry<Value>>()
  const oldest = oldestKeys(entries)
  let newest: Entry<Value> | undefined
  let total = 0
  const isFull = (): boolean => total > limit
  const remove = (key: Key): void => {
    const entry = entries.get(key)
    if (!entry) return
    total -= entry.size
    entries.delete(key)
    if (entry === newest) newest = undefined
    onRemoved?.(entry.value)
  }
  return {
    get: (key) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry !== newest) {
        entries.delete(key)
        entries.set(key, entry)
        newest = entry
      }
      return entry.value
    },
    set: (key, value) => {
      remove(key)
      const size = sizeOf(value)
      if (size > limit) return
      newest = { value, size }
      entries.set(key, newest)
      total += size
      while (isFull()) remove(oldest()!)
    },
    delete: remove,
    keys: () => [...entries.keys()],
  }
}

/**
 * Returns a function that returns the oldest key of a map, which its caller then deletes. A new iterator would walk over the
 * slots of all deleted keys: with ten thousand keys a `set` would take eight times as long.
 */
function oldestKeys<Key>(map: ReadonlyMap<Key, unknown>): () => Key | undefined {
  let keys = map.keys()
  return () => {
    const next = keys.next()
    if (next.done !== true) return next.value
    keys = map.keys()
    return keys.next().value
  }
}
