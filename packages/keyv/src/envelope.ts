import type { Packed } from '@harvestman/ports/stores'

import { storeFailed } from './errors.ts'

/** A value with its expiry time, which is exact even if the backend rounds, and follows our clock. */
export interface Envelope {
  readonly packed: Packed
  readonly expires: number
}

/**
 * The stored form of a value: `j` (JSON) or `b` (bytes), the expiry time (empty if there is none), `;`, and the JSON or base64.
 * If the backend accepts bytes: eight bytes for the expiry time, and the bytes. Keyv's serializer handles a string cheaply, but
 * would copy and revive an object node by node.
 */
export type Sealed = string | Uint8Array

const header = 8

/** Returns the stored form of a value. With `rawBytes`, the backend accepts bytes, so that bytes are not encoded as base64. */
export function seal({ packed, expires }: Envelope, rawBytes: boolean): Sealed {
  const moment = expires === Infinity ? '' : String(expires)
  if (typeof packed === 'string') return `j${moment};${packed}`
  if (!rawBytes) return `b${moment};${Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('base64')}`
  // Everything is overwritten below, so it need not be zeroed.
  const sealed = Buffer.allocUnsafeSlow(header + packed.length)
  sealed.writeDoubleBE(expires)
  sealed.set(packed, header)
  return sealed
}

/**
 * Returns the value and its expiry time (milliseconds since the epoch, `Infinity` if there is none). Throws `store_failed` for
 * a string or another value that `seal` did not write; the content of bytes is not checked. `key` is for the message.
 */
export function unseal(key: string, sealed: unknown): Envelope {
  if (typeof sealed === 'string') return unsealText(key, sealed)
  if (!(sealed instanceof Uint8Array) || sealed.length < header) throw notOurs(key)
  const expires = new DataView(sealed.buffer, sealed.byteOffset, header).getFloat64(0)
  return { packed: new Uint8Array(sealed.subarray(header)), expires }
}

function unsealText(key: string, sealed: string): Envelope {
  const end = sealed.indexOf(';')
  const moment = sealed.slice(1, end)
  const expires = moment === '' ? Infinity : Number(moment)
  const kind = sealed[0]
  if (end === -1 || Number.isNaN(expires) || (kind !== 'j' && kind !== 'b')) throw notOurs(key)
  const rest = sealed.slice(end + 1)
  return { packed: kind === 'j' ? rest : new Uint8Array(Buffer.from(rest, 'base64')), expires }
}

function notOurs(key: string) {
  return storeFailed(`The value of "${key}" in the Keyv was not written by this store. Give the store its own prefix.`)
}
