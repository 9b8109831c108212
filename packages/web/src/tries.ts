// How often keys are tried. One who guesses must not keep others from logging in, so each address is counted by itself.
import { isIPv6 } from 'node:net'

/** Counts the tries of each caller in a minute. Those that succeed are taken back. */
export interface Tries {
  /** Gives what takes the try back; nothing when there were too many. */
  begin(caller: string): (() => void) | undefined
}

// Beyond that many callers the first of the minute are forgotten.
const mostCallers = 10_000

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
      if (counts.size >= mostCallers && first !== undefined) counts.delete(first)
      counts.set(caller, count + 1)
      return () => {
        if (minute === current) counts.set(caller, Math.max(0, (counts.get(caller) ?? 0) - 1))
      }
    },
  }
}

/** Returns who is counted for an IP address: the holder of an IPv6 network has all of its addresses. */
export function counterOf(address: string): string {
  return isIPv6(address) ? networkOf(address) : address
}

/** The first four groups of an address. */
function networkOf(address: string): string {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [before = '', after] = hostname.slice(1, -1).split('::')
  const groups = before === '' ? [] : before.split(':')
  const rest = after === undefined || after === '' ? [] : after.split(':')
  const between = Array.from({ length: 8 - groups.length - rest.length }, () => '0')
  return [...groups, ...between, ...rest].slice(0, 4).join(':')
}
