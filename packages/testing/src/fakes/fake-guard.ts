import { isIP } from 'node:net'

import type { Address, Guard } from '@harvestman/ports'

/** A guard that allows localhost and records its calls. */
export interface FakeGuard extends Guard {
  /** The resolved hosts and the checked URLs, in order. */
  readonly requested: readonly string[]
}

/** Options of `fakeGuard`. */
export interface FakeGuardOptions {
  /** Host names, and the loopback IPs that they resolve to. */
  readonly names?: Readonly<Record<string, string>>
  /** Rejects hosts and URLs that contain one of these strings. */
  readonly refuse?: readonly string[]
}

/** The error of a fake guard that rejects. */
export class RefusedError extends Error {
  constructor(what: string) {
    super(`The guard refuses ${what}.`)
    this.name = 'RefusedError'
  }
}

/**
 * Creates a guard that records its calls. `resolve` allows localhost, loopback IPs, and host names that `names` maps to a
 * loopback IP, and rejects all others with a `RefusedError`. `checkUrl` throws it for other IPs and for schemes other than
 * http(s). What contains a string of `refuse` is always rejected.
 */
export function fakeGuard({ names = {}, refuse = [] }: FakeGuardOptions = {}): FakeGuard {
  const requested: string[] = []
  const mustPass = (what: string) => {
    requested.push(what)
    if (refuse.some((part) => what.includes(part))) throw new RefusedError(what)
  }
  return {
    requested,
    checkUrl(url) {
      mustPass(url.href)
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RefusedError(url.href)
      const host = bare(url.hostname)
      if (isIP(host) > 0 && !isHere(host)) throw new RefusedError(url.href)
    },
    async resolve(host, port): Promise<Address> {
      mustPass(`${host}:${port}`)
      const address = names[host] ?? (host === 'localhost' ? '127.0.0.1' : bare(host))
      if (!isHere(address)) throw new RefusedError(host)
      return { address, family: isIP(address) === 6 ? 6 : 4 }
    },
  }
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')
const isHere = (address: string) => address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
