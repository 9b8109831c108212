import type { Clock, KeepOptions, Store, Value } from '@harvestman/core/ports'

import type { Envelope } from './envelope.ts'
import { storeClosed, storeFailed } from './errors.ts'
import { keyLocks } from './key-locks.ts'
import { envelopesIn, type Envelopes, type KeyvClient } from './keyv-client.ts'
import { expiry, pack, unpack } from './pack.ts'

export interface KeyvStoreOptions {
  /** Begins every key, so that the Keyv may serve others too. */
  readonly prefix?: string
  readonly clock?: Pick<Clock, 'now'>
  /** Whether the backend takes bytes as they are. When absent: yes for a Keyv with `serialization: false`. */
  readonly rawBytes?: boolean
}

/**
 * Keeps values in any Keyv. `update` is one step among the callers of this store object: Keyv itself has no such step,
 * so make one store for a Keyv and share it. The Keyv stays open when the store is closed.
 */
export function keyvStore(keyv: KeyvClient, options: KeyvStoreOptions = {}): Store {
  const { prefix = 'harvestman:', clock = { now: () => Date.now() }, rawBytes = !keyv.serialization } = options
  if (keyv.sanitize?.enabled)
    throw storeFailed('This Keyv cleans keys, so that two keys may become one. Give one without `sanitize`.')
  const now = () => clock.now()
  const envelopes = envelopesIn(keyv, { prefix, now, rawBytes })
  const locks = keyLocks()
  let isOpen = true

  const mustBeOpen = () => {
    if (!isOpen) throw storeClosed()
  }
  const getMany = async (keys: readonly string[]) => {
    mustBeOpen()
    if (keys.length === 0) return []
    // In turn with writes: Keyv deletes what it finds expired, and would delete what is written meanwhile.
    const found = await locks.read(keys, () => envelopes.readMany(keys))
    return found.map((envelope) => envelope && unpack(envelope.packed))
  }

  return {
    reach: 'process',
    getMany,
    get: async (key) => (await getMany([key]))[0],
    async set(key, value, options) {
      mustBeOpen()
      const envelope: Envelope = { packed: pack(key, value), expires: expiry(now(), options) }
      await locks.write(key, () => envelopes.write(key, envelope))
    },
    async update(key, change, options) {
      mustBeOpen()
      return locks.write(key, () => changeIn(envelopes, { key, change, options, now }))
    },
    async delete(key) {
      mustBeOpen()
      await locks.write(key, () => envelopes.remove(key))
    },
    async close() {
      isOpen = false
      await locks.idle()
      envelopes.release()
    },
  }
}

interface Change {
  readonly key: string
  readonly change: (old: Value | undefined) => Value | undefined
  readonly options: KeepOptions | undefined
  readonly now: () => number
}

async function changeIn(envelopes: Envelopes, { key, change, options, now }: Change): Promise<Value | undefined> {
  const [envelope] = await envelopes.readMany([key])
  const old = envelope && unpack(envelope.packed)
  const value = change(old)
  if (value === old) return old
  if (value === undefined) await envelopes.remove(key)
  else await envelopes.write(key, { packed: pack(key, value), expires: expiry(now(), options, envelope?.expires) })
  return value
}
