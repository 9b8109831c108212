import type { KeepOptions, Store } from '../ports/store.ts'
import type { Json } from '../ports/value.ts'

/** Appends to the list that is kept under the key, which `store.get` gives whole. An absent key becomes a list. */
export async function addToList(store: Store, key: string, items: readonly Json[], keep?: KeepOptions): Promise<void> {
  if (store.add) return store.add(key, items, keep)
  await store.update(key, (old) => [...((old as readonly Json[] | undefined) ?? []), ...items], keep)
}
