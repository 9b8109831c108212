import { AsyncLocalStorage } from 'node:async_hooks'

import { isLive, errorMessage } from '@harvestman/ports/adapters'

import { seal, unseal, type Envelope } from './envelope.ts'
import { storeFailed } from './errors.ts'

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

export interface KeyvOptions {
  readonly prefix: string
  readonly now: () => number
  readonly rawBytes: boolean
}

/** A Keyv that keeps envelopes, and says when it fails. */
export interface Envelopes {
  readMany(keys: readonly string[]): Promise<readonly (Envelope | undefined)[]>
  write(key: string, envelope: Envelope): Promise<void>
  remove(key: string): Promise<void>
  /** Lets go of the Keyv, which stays as it was. */
  release(): void
}

// Keyv and its backends count by their own clock, some in whole seconds. They are only there to clear away what is long
// gone; when a value is gone is told by the envelope.
const slack = 5000

export function envelopesIn(keyv: KeyvClient, { prefix, now, rawBytes }: KeyvOptions): Envelopes {
  const { attempt, release } = listen(keyv)
  const open = (key: string, sealed: unknown): Envelope | undefined => {
    if (sealed === undefined || sealed === null) return undefined
    const envelope = unseal(key, sealed)
    return isLive(envelope.expires, now()) ? envelope : undefined
  }
  // `false` is also said of a key that was absent, so only an error counts.
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
      // 0 is "no ttl" to Keyv; leaving it out would be the default ttl that this Keyv may have.
      const ttl = left === Infinity ? 0 : Math.ceil(left) + slack
      const said: unknown = await attempt('write', key, () => keyv.set(prefix + key, seal(envelope, rawBytes), ttl))
      // Adapters of older versions say nothing.
      if (said === false) throw storeFailed(`The Keyv did not write "${key}", and did not say why.`)
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
  const said = errorMessage(cause)
  return storeFailed(`The Keyv could not ${what} "${key}": ${said}`, cause)
}
