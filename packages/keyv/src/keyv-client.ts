import { AsyncLocalStorage } from 'node:async_hooks'

import { isLive } from '@harvestman/ports/stores'
import { errorMessage } from '@harvestman/toolbox/error-message'

import { seal, unseal, type Envelope } from './envelope.ts'
import { storeFailed } from './errors.ts'

/** The members of a Keyv that are used. */
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

export interface KeyvOptions {
  readonly prefix: string
  readonly now: () => number
  readonly rawBytes: boolean
}

/** A Keyv that stores envelopes and reports failures. */
export interface Envelopes {
  readMany(keys: readonly string[]): Promise<readonly (Envelope | undefined)[]>
  write(key: string, envelope: Envelope): Promise<void>
  remove(key: string): Promise<void>
  /** Removes the listeners from the Keyv, which stays open. */
  release(): void
}

// Keyv and its backends use their own clocks, some in whole seconds. Their ttl only cleans up; the envelope decides when a
// value expires.
const slack = 5000

/**
 * Creates access to the envelopes under a prefix of a Keyv. Missing and expired ones are `undefined`. Its calls reject with
 * `store_failed` if the Keyv fails.
 */
export function envelopesIn(keyv: KeyvClient, { prefix, now, rawBytes }: KeyvOptions): Envelopes {
  const { attempt, release } = listen(keyv)
  const open = (key: string, sealed: unknown): Envelope | undefined => {
    if (sealed === undefined || sealed === null) return undefined
    const envelope = unseal(key, sealed)
    return isLive(envelope.expires, now()) ? envelope : undefined
  }
  // `false` may also mean that the key was absent, so only an error counts as a failure.
  const remove = async (key: string): Promise<void> => {
    await attempt('delete', key, () => keyv.delete(prefix + key))
  }
  const getAll = (keys: readonly string[]) => {
    const names = keys.map((key) => prefix + key)
    return keyv.getMany && names.length > 1 ? keyv.getMany(names) : Promise.all(names.map((name) => keyv.get(name)))
  }
  return {
    remove,
    release,
    async readMany(keys) {
      const all = await attempt('read', keys.join('", "'), () => getAll(keys))
      return keys.map((key, index) => open(key, all[index]))
    },
    async write(key, envelope) {
      const left = envelope.expires - now()
      if (!(left > 0)) return remove(key)
      // 0 means no ttl; without the argument, the default ttl of this Keyv would apply.
      const ttl = left === Infinity ? 0 : Math.ceil(left) + slack
      const result: unknown = await attempt('write', key, () => keyv.set(prefix + key, seal(envelope, rawBytes), ttl))
      // Older adapters return nothing.
      if (result === false) throw storeFailed(`The Keyv did not write "${key}", and gave no reason.`)
    },
  }
}

/**
 * Makes a Keyv report failures. With an error listener, Keyv turns a failed read into a miss and a failed write into `false`,
 * and reports the error only to the listener; without one, a lost connection ends the process. This listener finds the call
 * that an error belongs to by its asynchronous context; other errors are ignored.
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
  const message = errorMessage(cause)
  return storeFailed(`The Keyv could not ${what} "${key}": ${message}`, cause)
}
