import { hash } from 'node:crypto'

import { uuidv8 } from '@harvestman/toolbox/uuid'

/**
 * Returns the id of a scheduled check, in the format of UUIDv7. `scheduledFor` is in milliseconds since 1970. All engines
 * compute the same id, and ids sort by scheduled time.
 */
export function checkIdOf(monitor: string, scheduledFor: number): string {
  const time = Math.max(scheduledFor, 0).toString(16).padStart(12, '0').slice(-12)
  const rest = hash('sha256', `${monitor}/${scheduledFor}`, 'hex')
  const variant = '89ab'[Number.parseInt(rest[3] ?? '', 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`
}

/** Returns the id of a page in a check. All engines compute the same id. */
export function pageIdOf(check: string, target: string, url: string): string {
  return uuidv8(JSON.stringify([check, target, url]))
}

/** Returns a hash (22 characters) of the arguments, for store keys. */
export function digestOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)
}
