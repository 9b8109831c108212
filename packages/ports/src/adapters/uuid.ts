import { hash, randomUUID } from 'node:crypto'

/** An id that sorts by time and cannot be guessed: UUID version 7 (RFC 9562), its random bits those of one of version 4. */
export function uuidv7(now: number, random: string = randomUUID()): string {
  const time = Math.max(now, 0).toString(16).padStart(12, '0').slice(-12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/** The id that belongs to a text: UUID version 8 (RFC 9562). It can be guessed exactly as well as the text. */
export function uuidv8(text: string): string {
  const hex = hash('sha256', text, 'hex')
  const variant = '89ab'[Number.parseInt(hex[15] ?? '', 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}-${hex.slice(19, 31)}`
}
