import type { Store } from '@harvestman/ports'
import { getMany } from './get-many.ts'

/** Maximum number of keys per call. */
const together = 500

/** Returns for each key, in order, whether the store has a value. Rejects if the store fails. */
export async function areStored(
  store: Pick<Store, 'get' | 'getMany' | 'has'>,
  keys: readonly string[],
): Promise<readonly boolean[]> {
  const stored: boolean[] = []
  for (let start = 0; start < keys.length; start += together) {
    const some = keys.slice(start, start + together)
    stored.push(...((await store.has?.(some)) ?? (await getMany(store, some)).map((value) => value !== undefined)))
  }
  return stored
}
