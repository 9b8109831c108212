import { type Address, EngineError, type Guard } from '@harvestman/ports'
import { addressKind, embeddedIpv4, familyOf, hostName, parseRanges, type OpenRange } from './addresses.ts'
import { blockedPorts } from './blocked-ports.ts'
import { systemResolver, type Resolver } from './resolver.ts'

export type { Resolver } from './resolver.ts'

/** Options of `createGuard`. */
export interface GuardOptions {
  /** Private ranges to allow, such as `10.1.0.0/16` or `127.0.0.1/32:4400`. */
  readonly allowPrivate?: readonly string[] | undefined
  readonly resolver?: Resolver | undefined
  /** Blocked ports, in place of the default list. */
  readonly blockedPorts?: readonly number[] | undefined
}

// Maximum number of IPs to try per host.
const maxIps = 6

/**
 * Creates a guard that decides by IP, not by host name. `resolve` rejects with `url_blocked` if any of the IPs is blocked or an
 * internal name is unknown, and with `dns_failed` if another name cannot be resolved; it returns at most 6. The caller must
 * connect to these instead of the name, which could resolve to another IP the second time. `checkUrl` throws `url_blocked` for
 * schemes other than http(s), and for blocked ports and IPs. Throws `invalid_request` for invalid `allowPrivate` ranges.
 */
export function createGuard(options: GuardOptions = {}): Guard {
  const ranges = parseRanges(options.allowPrivate ?? [])
  const closedPorts = new Set(options.blockedPorts ?? blockedPorts)
  const resolver = options.resolver ?? systemResolver()
  const isAllowed = (address: string, port: number): boolean => allows(ranges, closedPorts, address, port)

  return {
    checkUrl: (url) => {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw blockedScheme()
      const port = portOf(url)
      const addresses = knownIps(url.hostname)
      if (addresses && !addresses.some((address) => isAllowed(address, port))) throw blocked()
      // Whether the host is in an allowed range with this port is known only after the lookup.
      if (closedPorts.has(port) && !ranges.some((range) => range.port === port)) throw blocked()
    },
    resolve: async (host, port, signal) => {
      signal.throwIfAborted()
      const name = hostName(host)
      if (name === undefined) throw blocked()
      const known = knownIps(name)?.filter((address) => isAllowed(address, port))
      if (known) return pinned(known)
      const found = await ask(resolver, name, signal)
      if (!found.every((address) => isAllowed(address, port))) throw blocked()
      return pinned(found)
    },
  }
}

function allows(
  ranges: readonly OpenRange[],
  closedPorts: ReadonlySet<number>,
  address: string,
  port: number,
): boolean {
  const kind = addressKind(address)
  if (kind === 'invalid') return false
  const open = ranges.filter((range) => (range.port === undefined || range.port === port) && range.includes(address))
  if (closedPorts.has(port) && !open.some((range) => range.port === port)) return false
  if (kind === 'public' || open.some((range) => range.isSingle)) return true
  if (kind === 'metadata' || open.length === 0) return false
  // The embedded IPv4 address must be allowed too: allowing a NAT64 range must not open a private network behind it.
  const inner = embeddedIpv4(address)
  return inner === undefined || allows(ranges, closedPorts, inner, port)
}

/** Returns the IPs of hosts that need no DNS: IP literals, and `localhost` names, which no name server may redefine. */
function knownIps(hostname: string): readonly string[] | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (familyOf(host) !== undefined) return [host]
  return /(?:^|\.)localhost\.?$/i.test(host) ? ['127.0.0.1', '::1'] : undefined
}

async function ask(resolver: Resolver, host: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const found = await resolver(host, signal)
    if (found.length > 0) return found.map(({ address }) => address)
  } catch (cause) {
    signal.throwIfAborted()
    // A different error would reveal which internal names exist.
    if (isInternalName(host)) throw blocked()
    if (EngineError.is(cause)) throw cause
    throw notResolved(host, cause)
  }
  throw isInternalName(host) ? blocked() : notResolved(host)
}

/** Returns whether a name is never used on the public Internet. */
function isInternalName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return !name.includes('.') || /\.(?:local|internal|intranet|lan|home|corp|private|home\.arpa)$/i.test(name)
}

function pinned(addresses: readonly string[]): Address {
  const [first, ...others] = addresses.slice(0, maxIps).map((address): Address => {
    return { address, family: familyOf(address) ?? 4 }
  })
  if (!first) throw blocked()
  return others.length > 0 ? { ...first, others } : first
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

// One message for all reasons, without details, so that it reveals nothing about internal hosts.
function blocked(): EngineError {
  const problem = 'This URL is blocked: its host is not public, or its port is not allowed.'
  return new EngineError('url_blocked', `${problem} If the host is yours, add its addresses to allowPrivate.`, {
    details: { problem },
  })
}

function blockedScheme(): EngineError {
  return new EngineError('url_blocked', 'Only URLs that begin with http:// or https:// can be visited.')
}

function notResolved(host: string, cause?: unknown): EngineError {
  const sentence = `The host name "${host}" could not be resolved. Check its spelling, or try again later.`
  return new EngineError('dns_failed', sentence, { cause, details: { host } })
}
