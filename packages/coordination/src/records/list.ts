import type { Json, KeepOptions, Store } from '@harvestman/ports'

/**
 * Appends to the list under the key, which `store.get` returns as a whole. An absent key becomes a list. Rejects if the store
 * fails.
 */
export async function addToList(store: Store, key: string, items: readonly Json[], keep?: KeepOptions): Promise<void> {
  if (store.add) return store.add(key, items, keep)
  await store.update(key, (old) => [...((old as readonly Json[] | undefined) ?? []), ...items], keep)
}
