import { randomInt } from 'node:crypto'

export interface StrangerId {
  readonly uid: number
  readonly gid: number
}

// Numbers that no user of a system has; each jail takes one of its own, so that two jails are strangers to each other.
const first = 1_879_048_192
const count = 65_536

/** Who a jail runs as when this process is root: a user that owns nothing. Otherwise it runs as the user of the process. */
export function strangerId(isRoot = process.getuid?.() === 0): StrangerId | undefined {
  if (!isRoot) return undefined
  const id = first + randomInt(count)
  return { uid: id, gid: id }
}
