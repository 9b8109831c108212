import type { Store, Value } from '@harvestman/ports'

/** Reads the values under the keys: in one step where the store has one, else side by side. */
export async function getMany(
  store: Pick<Store, 'get' | 'getMany'>,
  keys: readonly string[],
): Promise<readonly (Value | undefined)[]> {
  return (await store.getMany?.(keys)) ?? Promise.all(keys.map((key) => store.get(key)))
}
