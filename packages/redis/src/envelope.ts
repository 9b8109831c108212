import { EngineError } from '@harvestman/ports'
import type { Packed } from '@harvestman/ports/stores'
import { loneView } from '@harvestman/ports/values'

/** A value with its expiry time, for backends that round times or use a different clock. */
export interface Envelope {
  readonly packed: Packed
  readonly expires: number
}

/**
 * Returns the head of a stored value: `j` for JSON or `b` for bytes, the expiry time (empty if there is none), and `;`. JSON is
 * stored unencoded even among bytes, so that a list can be appended to without reading it.
 */
export function envelopeHead({ packed, expires }: Envelope): string {
  return `${typeof packed === 'string' ? 'j' : 'b'}${expires === Infinity ? '' : expires};`
}

// The kind, a time of at most 24 characters, and the separator.
const maxHeadLength = 32

/** Decodes a stored value. Bytes are a view of the input. Throws `store_failed` if this store has not written it. */
export function openEnvelope(key: string, kept: Uint8Array): Envelope {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  const end = bytes.subarray(0, maxHeadLength).indexOf(0x3b)
  const head = bytes.toString('latin1', 0, Math.max(end, 0))
  const expires = head.length === 1 ? Infinity : Number(head.slice(1))
  if (head[0] === 'j' && !Number.isNaN(expires)) return { packed: bytes.toString('utf8', end + 1), expires }
  if (head[0] === 'b' && !Number.isNaN(expires)) {
    const packed = new Uint8Array(kept.buffer, kept.byteOffset + end + 1, kept.byteLength - end - 1)
    return { packed: isAlone(kept) ? loneView(packed) : packed, expires }
  }
  throw notOurs(key)
}

/** Returns whether a reply is alone in its buffer, apart from its length prefix and the final line break. */
function isAlone({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  if (buffer.byteLength === byteLength) return true
  return byteOffset === `$${byteLength}\r\n`.length && buffer.byteLength === byteOffset + byteLength + 2
}

/** Returns the `store_failed` error for a value that this store has not written. */
export function notOurs(key: string): EngineError {
  return new EngineError(
    'store_failed',
    `The value of "${key}" was not written by this store. Give the store its own prefix.`,
  )
}
