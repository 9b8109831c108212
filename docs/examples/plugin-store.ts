import { EngineError, listedKeys, type Clock, type Store, type Value, systemClock } from '@harvestman/ports'
import { expiryOf, fillPage, isLive, packValue, sortedKeys, unpackValue } from '@harvestman/ports/stores'

interface Kept {
  readonly packed: string | Uint8Array
  readonly expires: number
}

/** A store in a Map. No call waits for anything, so `update` is atomic. */
export function mapStore({ clock = systemClock }: { readonly clock?: Clock } = {}): Store {
  const kept = new Map<string, Kept>()
  // The keys for `list`, in order.
  const listed = sortedKeys()
  let isClosed = false
  const open = (): void => {
    if (isClosed) throw new EngineError('store_failed', 'The store is closed.')
  }
  const drop = (key: string): void => {
    kept.delete(key)
    listed.delete(key)
  }
  const find = (key: string): Kept | undefined => {
    const found = kept.get(key)
    if (!found || isLive(found.expires, clock.now())) return found
    drop(key)
    return undefined
  }
  // Callers may change or free their bytes. Not `slice`, because a slice of a Buffer shares its memory.
  const copy = (packed: string | Uint8Array) => (typeof packed === 'string' ? packed : new Uint8Array(packed))
  const valueOf = (one: Kept | undefined): Value | undefined => one && unpackValue(copy(one.packed))
  const put = (key: string, value: Value, expires: number): void => {
    if (key.startsWith(listedKeys) && !kept.has(key)) listed.add(key)
    kept.set(key, { packed: copy(packValue(key, value)), expires })
  }
  return {
    reach: 'process',
    get: async (key) => {
      open()
      return valueOf(find(key))
    },
    set: async (key, value, options) => {
      open()
      put(key, value, expiryOf(clock.now(), options))
    },
    update: async (key, change, options) => {
      open()
      const found = find(key)
      const old = valueOf(found)
      const next = change(old)
      if (next === old) return old
      if (next === undefined) drop(key)
      else put(key, next, options?.ttl === undefined && found ? found.expires : expiryOf(clock.now(), options))
      return next
    },
    delete: async (key) => {
      open()
      drop(key)
    },
    list: async (prefix, options) => {
      open()
      return fillPage(options, (part) => {
        const keys = listed.page(prefix, part)
        const values = keys.map((key) => ({ key, value: valueOf(find(key)) }))
        return { keys, entries: values.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }])) }
      })
    },
    close: async () => {
      isClosed = true
    },
  }
}
