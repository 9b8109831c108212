import { hash, randomUUID } from 'node:crypto'

/**
 * Returns an unguessable id that sorts by time: UUID version 7 (RFC 9562). Its random bits come from a version 4 UUID.
 * `now` is in milliseconds since 1970.
 */
export function uuidv7(now: number, random: string = randomUUID()): string {
  const time = Math.max(now, 0).toString(16).padStart(12, '0').slice(-12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/**
 * Returns the id derived from a string: UUID version 8 (RFC 9562). It is as guessable as the string. The same string
 * always has the same id.
 */
export function uuidv8(text: string): string {
  const hex = hash('sha256', text, 'hex')
  const variant = '89ab'[Number.parseInt(hex[15] ?? '', 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}-${hex.slice(19, 31)}`
}
