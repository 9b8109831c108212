import type { KeepOptions, Store, Value } from '@harvestman/ports'

/**
 * Stores the first value: every caller gets the value of the first writer. `make` may run in several callers at the same time,
 * so it must have no side effects.
 */
export async function once<T extends Value>(
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
