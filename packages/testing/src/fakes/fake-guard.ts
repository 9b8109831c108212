import { isIP } from 'node:net'

import type { Address, Guard } from '@harvestman/ports'

/** A guard that lets pass what is on this machine, and says what it was asked. */
export interface FakeGuard extends Guard {
  /** The hosts that were resolved and the addresses that were checked, in their order. */
  readonly asked: readonly string[]
}

/** Options of `fakeGuard`. */
export interface FakeGuardOptions {
  /** Names, and the addresses of this machine that they stand for. */
  readonly names?: Readonly<Record<string, string>>
  /** Refuses an address that contains one of these. */
  readonly refuse?: readonly string[]
}

/** The error of a fake guard that refuses. */
export class RefusedError extends Error {
  constructor(what: string) {
    super(`The guard refuses ${what}.`)
    this.name = 'RefusedError'
  }
}

/** Makes a guard that lets this machine be visited and tells what it was asked. */
export function fakeGuard({ names = {}, refuse = [] }: FakeGuardOptions = {}): FakeGuard {
  const asked: string[] = []
  const mustPass = (what: string) => {
    asked.push(what)
    if (refuse.some((part) => what.includes(part))) throw new RefusedError(what)
  }
  return {
    asked,
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
