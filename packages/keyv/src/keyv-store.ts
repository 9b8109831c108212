import { AsyncLocalStorage } from 'node:async_hooks'

import type { Clock, KeepOptions, Store, Value } from '@harvestman/core/ports'

import { seal, unseal, type Envelope } from './envelope.ts'
import { storeClosed, storeFailed } from './errors.ts'
import { keyLocks } from './key-locks.ts'
import { expiry, pack, unpack } from './pack.ts'

/** The part of a Keyv that is used. */
export interface KeyvClient {
  get(key: string): Promise<unknown>
  getMany?(keys: string[]): Promise<unknown[]>
  set(key: string, value: unknown, ttl?: number): Promise<boolean>
  delete(key: string): Promise<boolean>
  on?(event: 'error', listener: (error: unknown) => void): unknown
  off?(event: 'error', listener: (error: unknown) => void): unknown
  readonly serialization?: unknown
  readonly sanitize?: { readonly enabled: boolean }
}

export interface KeyvStoreOptions {
  /** Begins every key, so that the Keyv may serve others too. */
  readonly prefix?: string
  readonly clock?: Pick<Clock, 'now'>
  /** Whether the backend takes bytes as they are. When absent: yes for a Keyv with `serialization: false`. */
  readonly rawBytes?: boolean
}

// Keyv and its backends count by their own clock, some in whole seconds. They are only there to clear away what is long
// gone; when a value is gone is told by the envelope.
const slack = 5000

/**
 * Keeps values in any Keyv. `update` is one step among the callers of this store object: Keyv itself has no such step,
 * so make one store for a Keyv and share it. The Keyv stays open when the store is closed.
 */
export function keyvStore(keyv: KeyvClient, options: KeyvStoreOptions = {}): Store {
  const { prefix = 'harvestman:', clock = { now: () => Date.now() } } = options
  if (keyv.sanitize?.enabled)
    throw storeFailed('This Keyv cleans keys, so that two keys may become one. Give one without `sanitize`.')
  const rawBytes = options.rawBytes ?? !keyv.serialization
  const { attempt, release } = listen(keyv)
  const locks = keyLocks()
  let isOpen = true

  const mustBeOpen = () => {
    if (!isOpen) throw storeClosed()
  }
  const open = (key: string, sealed: unknown): Envelope | undefined => {
    if (sealed === undefined || sealed === null) return undefined
    const envelope = unseal(key, sealed)
    return clock.now() < envelope.expires ? envelope : undefined
  }
  const read = async (key: string) => open(key, await attempt('read', key, () => keyv.get(prefix + key)))
  const write = async (key: string, envelope: Envelope) => {
    const left = envelope.expires - clock.now()
    if (!(left > 0)) return remove(key)
    // 0 is "no ttl" to Keyv; leaving it out would be the default ttl that this Keyv may have.
    const ttl = left === Infinity ? 0 : Math.ceil(left) + slack
    const isSet = await attempt('write', key, () => keyv.set(prefix + key, seal(envelope, rawBytes), ttl))
    if (isSet === false) throw storeFailed(`The Keyv did not write "${key}", and did not say why.`)
  }
  // `false` is also said of a key that was absent, so only an error counts.
  const remove = async (key: string) => void (await attempt('delete', key, () => keyv.delete(prefix + key)))

  const change = async (
    key: string,
    turn: (old: Value | undefined) => Value | undefined,
    options: KeepOptions | undefined,
  ): Promise<Value | undefined> => {
    const envelope = await read(key)
    const old = envelope && unpack(envelope.packed)
    const value = turn(old)
    if (value === old) return old
    if (value === undefined) await remove(key)
    else await write(key, { packed: pack(key, value), expires: expiry(clock.now(), options, envelope?.expires) })
    return value
  }
  const readMany = async (keys: readonly string[]) => {
    const { getMany } = keyv
    if (!getMany) return Promise.all(keys.map(read))
    const name = keys.join('", "')
    const many = await attempt('read', name, () => getMany.call(keyv, keys.map((key) => prefix + key)))
    return keys.map((key, index) => open(key, many[index]))
  }

  return {
    reach: 'process',
    async get(key) {
      mustBeOpen()
      const envelope = await locks.read([key], () => read(key))
      return envelope && unpack(envelope.packed)
    },
    async getMany(keys) {
      mustBeOpen()
      if (keys.length === 0) return []
      const envelopes = await locks.read(keys, () => readMany(keys))
      return envelopes.map((envelope) => envelope && unpack(envelope.packed))
    },
    async set(key, value, options) {
      mustBeOpen()
      const envelope = { packed: pack(key, value), expires: expiry(clock.now(), options) }
      await locks.write(key, () => write(key, envelope))
    },
    async update(key, turn, options) {
      mustBeOpen()
      return locks.write(key, () => change(key, turn, options))
    },
    async delete(key) {
      mustBeOpen()
      await locks.write(key, () => remove(key))
    },
    async close() {
      isOpen = false
      await locks.idle()
      release()
    },
  }
}

/**
 * Makes a Keyv say when it fails. With a listener, Keyv turns a failed read into a miss and a failed write into `false`,
 * and tells only the listener; without one, a lost connection ends the process. So there is a listener here, which finds
 * the call that an error belongs to by its asynchronous context; what belongs to no call is let go.
 */
function listen(keyv: KeyvClient) {
  const calls = new AsyncLocalStorage<unknown[]>()
  const hear = (error: unknown) => void calls.getStore()?.push(error)
  keyv.on?.('error', hear)

  const attempt = async <T>(what: string, key: string, work: () => Promise<T>): Promise<T> => {
    const errors: unknown[] = []
    const result = await calls.run(errors, work).catch((error: unknown) => {
      throw failed(what, key, error)
    })
    if (errors.length > 0) throw failed(what, key, errors[0])
    return result
  }
  return { attempt, release: () => void keyv.off?.('error', hear) }
}

function failed(what: string, key: string, cause: unknown) {
  const said = cause instanceof Error ? cause.message : String(cause)
  return storeFailed(`The Keyv could not ${what} "${key}": ${said}`, cause)
}
