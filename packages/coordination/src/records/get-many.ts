import type { Store, Value } from '@harvestman/ports'

/**
 * Reads the values of the keys: with one call if the store supports that, otherwise in parallel. Values are in the order of
 * the keys, `undefined` for an absent key. Rejects if the store fails.
 */
export async function getMany(
  store: Pick<Store, 'get' | 'getMany'>,
  keys: readonly string[],
): Promise<readonly (Value | undefined)[]> {
  return (await store.getMany?.(keys)) ?? Promise.all(keys.map((key) => store.get(key)))
}
