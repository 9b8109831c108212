import {
  appendToList,
  expiryOf,
  fillPage,
  keyLocks,
  type KeyLocks,
  keyWatchers,
  packValue,
  unpackValue,
} from '@harvestman/ports/stores'
import { type Clock, listedKeys, type Store, type Value } from '@harvestman/ports'

import type { Envelope } from './envelope.ts'
import { storeClosed, storeFailed } from './errors.ts'
import { envelopesIn, type Envelopes, type KeyvClient } from './keyv-client.ts'
import { listedKeysIn, type ListedKeys } from './listed-keys.ts'

/** Options of `keyvStore`. */
export interface KeyvStoreOptions {
  /** Prefix of all keys, so that the Keyv can be used for other data too. Default: `harvestman:`. */
  readonly prefix?: string
  readonly clock?: Pick<Clock, 'now'>
  /** Whether the backend accepts bytes. Default: true for a Keyv with `serialization: false`. */
  readonly rawBytes?: boolean
}

/**
 * Stores values in any Keyv. `update` is atomic only among the callers of this store object, because Keyv has no atomic update:
 * create one store per Keyv and share it. Closing the store does not close the Keyv. Throws `store_failed` for a Keyv with
 * `sanitize`; calls reject with `store_failed` if the Keyv fails, and with `closed` after closing.
 */
export function keyvStore(keyv: KeyvClient, options: KeyvStoreOptions = {}): Store {
  const { prefix = 'harvestman:', clock = { now: () => Date.now() }, rawBytes = !keyv.serialization } = options
  if (keyv.sanitize?.enabled)
    throw storeFailed('This Keyv cleans keys, so that two keys may become one. Give one without `sanitize`.')
  const now = () => clock.now()
  const envelopes = envelopesIn(keyv, { prefix, now, rawBytes })
  const listed = listedKeysIn(envelopes, now)
  const locks = keyLocks()
  const watchers = keyWatchers()
  let isOpen = true

  const mustBeOpen = () => {
    if (!isOpen) throw storeClosed()
  }
  const getMany = async (keys: readonly string[]) => {
    mustBeOpen()
    if (keys.length === 0) return []
    // Reads must wait for writes: Keyv deletes a value that it finds expired, and would delete one that is written meanwhile.
    const found = await locks.read(keys, () => envelopes.readMany(keys))
    return found.map((envelope) => envelope && unpackValue(envelope.packed))
  }

  return {
    reach: 'process',
    getMany,
    get: async (key) => (await getMany([key]))[0],
    ...writesOf({ envelopes, listed, locks, now, mustBeOpen, tell: watchers.tell }),
    async list(prefix, options) {
      mustBeOpen()
      return fillPage(options, async (part) => {
        const keys = await listed.page(prefix, part)
        const values = await getMany(keys)
        const entries = keys.flatMap((key, index) => {
          const value = values[index]
          return value === undefined ? [] : [{ key, value }]
        })
        return { keys, entries }
      })
    },
    async watch(key, changed) {
      mustBeOpen()
      return watchers.add(key, changed)
    },
    async close() {
      isOpen = false
      watchers.clear()
      await locks.idle()
      envelopes.release()
    },
  }
}

interface Writing {
  readonly envelopes: Envelopes
  readonly listed: ListedKeys
  readonly locks: KeyLocks
  readonly now: () => number
  readonly mustBeOpen: () => void
  readonly tell: (key: string) => void
}

function writesOf({ envelopes, listed, locks, now, mustBeOpen, tell }: Writing) {
  // A key is indexed before it is written and until it is deleted; `list` skips keys without a value.
  const write = async (key: string, envelope: Envelope): Promise<void> => {
    if (key.startsWith(listedKeys)) await listed.note(key, envelope.expires)
    await envelopes.write(key, envelope)
  }
  const remove = async (key: string): Promise<void> => {
    await envelopes.remove(key)
    if (key.startsWith(listedKeys)) await listed.forget(key)
  }
  /** Changes an entry under its lock. Returning `undefined` deletes it; returning the same envelope changes nothing. */
  const change = (key: string, next: (old: Envelope | undefined) => Envelope | undefined): Promise<void> =>
    locks.write(key, async () => {
      const [old] = await envelopes.readMany([key])
      const envelope = next(old)
      if (envelope === old) return
      if (envelope) await write(key, envelope)
      else await remove(key)
      tell(key)
    })
  return {
    async set(key, value, options) {
      mustBeOpen()
      const envelope: Envelope = { packed: packValue(key, value), expires: expiryOf(now(), options) }
      await locks.write(key, () => write(key, envelope))
      tell(key)
    },
    async update(key, make, options) {
      mustBeOpen()
      let value: Value | undefined
      await change(key, (envelope) => {
        const old = envelope && unpackValue(envelope.packed)
        value = make(old)
        if (value === old) return envelope
        if (value === undefined) return undefined
        return { packed: packValue(key, value), expires: expiryOf(now(), options, envelope?.expires) }
      })
      return value
    },
    async add(key, items, options) {
      mustBeOpen()
      await change(key, (old) => ({
        packed: appendToList(key, old?.packed, items),
        expires: expiryOf(now(), options, old?.expires),
      }))
    },
    async delete(key) {
      mustBeOpen()
      await locks.write(key, () => remove(key))
      tell(key)
    },
  } satisfies Partial<Store>
}
