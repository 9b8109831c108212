import { randomInt } from 'node:crypto'

export interface StrangerId {
  readonly uid: number
  readonly gid: number
}

// User ids outside the ranges that systems assign. Each jail gets a random one, so that jails do not share a user.
const first = 1_879_048_192
const count = 65_536

/**
 * Returns a random unprivileged user to run a jail as, if this process is root. Otherwise returns `undefined`: the jail runs as
 * the user of the process.
 */
export function strangerId(isRoot = process.getuid?.() === 0): StrangerId | undefined {
  if (!isRoot) return undefined
  const id = first + randomInt(count)
  return { uid: id, gid: id }
}
