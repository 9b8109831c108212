import type { Json, Store, Value } from '@harvestman/ports'
import type { Vault } from '@harvestman/ports/adapters'

/**
 * A store whose JSON values have their credentials encrypted: what is written by any part of the engine passes here. Bytes
 * pass unchanged: whoever makes bytes of a request encrypts it before.
 */
export function sealingStore(store: Store, vault: Vault): Store {
  // Cast: a vault changes strings and objects of JSON for such, and nothing else.
  const seal = (value: Value): Value => (value instanceof Uint8Array ? value : (vault.seal(value) as Json))
  const open = <Kept extends Value | undefined>(value: Kept): Kept =>
    value instanceof Uint8Array ? value : (vault.open(value) as Kept)
  const { getMany, add, scan } = store
  return {
    ...store,
    get: async (key) => open(await store.get(key)),
    set: (key, value, options) => store.set(key, seal(value), options),
    update: async (key, change, options) =>
      open(
        await store.update(
          key,
          (kept) => {
            const old = open(kept)
            const value = change(old)
            if (value === old) return kept
            return value === undefined ? undefined : seal(value)
          },
          options,
        ),
      ),
    list: async (prefix, options) =>
      (await store.list(prefix, options)).map(({ key, value }) => ({ key, value: open(value) })),
    ...(getMany && { getMany: async (keys: readonly string[]) => (await getMany(keys)).map(open) }),
    // Cast: sealed items are JSON as they were.
    ...(add &&
      ({ add: (key, items, options) => add(key, items.map(seal) as Json[], options) } satisfies Partial<Store>)),
    ...(scan && {
      scan: async function* (beginning: string) {
        for await (const entries of scan(beginning))
          yield entries.map((entry) => ({ ...entry, value: open(entry.value) }))
      },
    }),
  }
}
