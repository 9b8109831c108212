import type { Json, Store, Value } from '@harvestman/ports'
import type { Vault } from '@harvestman/toolbox/sealed'
import { withOverrides } from '@harvestman/toolbox/with-overrides'

/**
 * Wraps a store to encrypt the credentials in JSON values. Bytes are not changed: code that serializes a request to bytes must
 * encrypt it first. Credentials that were encrypted with another key are returned encrypted. Errors of the store are passed
 * on.
 */
export function sealingStore(store: Store, vault: Vault): Store {
  // Cast: a vault replaces only strings and objects with other JSON values.
  const seal = (value: Value): Value => (value instanceof Uint8Array ? value : (vault.seal(value) as Json))
  const open = <Kept extends Value | undefined>(value: Kept): Kept =>
    value instanceof Uint8Array ? value : (vault.open(value) as Kept)
  const { getMany, add, scan } = store
  return withOverrides(store, {
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
    ...(getMany && { getMany: async (keys: readonly string[]) => (await getMany.call(store, keys)).map(open) }),
    // Cast: encrypted items are still JSON.
    ...(add &&
      ({
        add: (key, items, options) => add.call(store, key, items.map(seal) as Json[], options),
      } satisfies Partial<Store>)),
    ...(scan && {
      scan: async function* (beginning: string) {
        for await (const entries of scan.call(store, beginning))
          yield entries.map((entry) => ({ ...entry, value: open(entry.value) }))
      },
    }),
  })
}
