import type { KeepOptions, Store, Value } from '@harvestman/ports'

/** What is kept under the key, and whether this call put it there. */
export interface Once<T extends Value> {
  readonly value: T
  readonly isFirst: boolean
}

/**
 * Keeps the first of many: a later caller gets what the first one kept. `make` may run in several callers at the
 * same time, so it must have no effect but its value; effects belong to the caller whose `isFirst` is true.
 */
export async function once<T extends Value>(
  store: Store,
  key: string,
  make: () => T | Promise<T>,
  options?: KeepOptions,
): Promise<Once<T>> {
  const kept = await store.get(key)
  if (kept !== undefined) return { value: kept as T, isFirst: false }
  const made = await make()
  let isFirst = false
  const value = await store.update(
    key,
    (old) => {
      isFirst = old === undefined
      return isFirst ? made : old
    },
    options,
  )
  return { value: value as T, isFirst }
}
