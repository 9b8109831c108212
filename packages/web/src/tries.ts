// Limits login attempts. They are counted per IP, so that an attacker cannot lock out others.
import { isIPv6 } from 'node:net'

/** Counts the login attempts of each caller per minute. Successful ones are subtracted again. */
export interface Tries {
  /** Counts an attempt and returns a function that subtracts it. Returns `undefined` if there were too many. */
  begin(caller: string): (() => void) | undefined
}

// Maximum number of callers that are tracked per minute; beyond it, the first ones are dropped.
const maxCallers = 10_000

/**
 * Creates a limit of `most` wrong keys per caller and minute. `begin` counts an attempt, and returns the function that takes it
 * back after a success; `undefined` if there were too many. `now` returns milliseconds.
 */
export function makeTries(most: number, now: () => number = Date.now): Tries {
  const counts = new Map<string, number>()
  let minute = 0
  return {
    begin: (caller) => {
      const current = Math.floor(now() / 60_000)
      if (current !== minute) counts.clear()
      minute = current
      const count = counts.get(caller) ?? 0
      if (count >= most) return undefined
      const [first] = counts.keys()
      if (counts.size >= maxCallers && first !== undefined) counts.delete(first)
      counts.set(caller, count + 1)
      return () => {
        if (minute === current) counts.set(caller, Math.max(0, (counts.get(caller) ?? 0) - 1))
      }
    },
  }
}

/**
 * Returns the counter key of an IP. IPv6 callers are counted by /64 network, because one user usually has a whole network;
 * others unchanged.
 */
export function counterOf(address: string): string {
  return isIPv6(address) ? networkOf(address) : address
}

/** Returns the first four groups of an IPv6 address, which are its /64 network. */
function networkOf(address: string): string {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [before = '', after] = hostname.slice(1, -1).split('::')
  const groups = before === '' ? [] : before.split(':')
  const rest = after === undefined || after === '' ? [] : after.split(':')
  const between = Array.from({ length: 8 - groups.length - rest.length }, () => '0')
  return [...groups, ...between, ...rest].slice(0, 4).join(':')
}
