import type { KeepOptions, Store, Value } from '@harvestman/ports'

/**
 * Returns the value under the key; if there is none, stores the result of `make`. Every caller gets the value of the
 * first writer. `make` may run in several callers at the same time, so it must have no side effects. Rejects as `make`
 * or the store does.
 */
export async function getOrCreate<T extends Value>(
  store: Store,
  key: string,
  make: () => T | Promise<T>,
  options?: KeepOptions,
): Promise<T> {
  const stored = await store.get(key)
  if (stored !== undefined) return stored as T
  const made = await make()
  return (await store.update(key, (old) => old ?? made, options)) as T
}
