import { randomFillSync } from 'node:crypto'

const random = new Uint8Array(16)

/** An id that sorts by time and cannot be guessed: UUID version 7 (RFC 9562). */
export function uuidv7(now: number): string {
  randomFillSync(random)
  const hex = Buffer.from(random).toString('hex')
  const time = Math.max(now, 0).toString(16).padStart(12, '0').slice(-12)
  const variant = ((random[8]! & 0x3f) | 0x80).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20)}`
}
