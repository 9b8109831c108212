import { EngineError } from '@harvestman/ports'
import { loneView, type Packed } from '@harvestman/ports/adapters'

/** A value with the moment it is gone, for a backend that rounds times, or counts them by another clock. */
export interface Envelope {
  readonly packed: Packed
  readonly expires: number
}

/**
 * `j` for JSON or `b` for bytes, the moment (nothing when the value stays), `;`, and the value: a text for JSON, also
 * where a backend keeps bytes, so that a list can be appended to by what is sent alone.
 */
export function envelopeHead({ packed, expires }: Envelope): string {
  return `${typeof packed === 'string' ? 'j' : 'b'}${expires === Infinity ? '' : expires};`
}

// The kind, a moment of at most 24 digits, and the end.
const longestHead = 32

/** Opens an envelope that came back as bytes. The value of one with bytes is a view of them. */
export function openEnvelope(key: string, kept: Uint8Array): Envelope {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  const end = bytes.subarray(0, longestHead).indexOf(0x3b)
  const head = bytes.toString('latin1', 0, Math.max(end, 0))
  const expires = head.length === 1 ? Infinity : Number(head.slice(1))
  if (head[0] === 'j' && !Number.isNaN(expires)) return { packed: bytes.toString('utf8', end + 1), expires }
  if (head[0] === 'b' && !Number.isNaN(expires)) {
    const packed = new Uint8Array(kept.buffer, kept.byteOffset + end + 1, kept.byteLength - end - 1)
    return { packed: isAlone(kept) ? loneView(packed) : packed, expires }
  }
  throw notOurs(key)
}

/** Whether a reply has a buffer to itself: it is all of it, or stands there between its length and an end of line. */
function isAlone({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  if (buffer.byteLength === byteLength) return true
  return byteOffset === `$${byteLength}\r\n`.length && buffer.byteLength === byteOffset + byteLength + 2
}

export function notOurs(key: string): EngineError {
  return new EngineError(
    'store_failed',
    `What is kept for "${key}" was not written by this store. Give the store a prefix of its own.`,
  )
}
