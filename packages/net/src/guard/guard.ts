import { type Address, EngineError, type Guard } from '@harvestman/ports'
import { addressKind, embeddedIpv4, familyOf, parseRanges, type OpenRange } from './addresses.ts'
import { blockedPorts } from './blocked-ports.ts'
import { systemResolver, type Resolver } from './resolver.ts'

export type { Resolver } from './resolver.ts'

/** Options of `createGuard`. */
export interface GuardOptions {
  /** Ranges beyond the public Internet that may be visited: `10.1.0.0/16`, `127.0.0.1/32:4400`. */
  readonly allowPrivate?: readonly string[] | undefined
  readonly resolver?: Resolver | undefined
  /** Ports that may not be visited, in place of the usual list. */
  readonly blockedPorts?: readonly number[] | undefined
}

// More than this are never tried.
const mostAddresses = 6

/**
 * Decides by the address that is connected to, not by how it is spelled. A name is refused when any of its addresses
 * is, and what is given back is that address, so a connection to it cannot end up elsewhere.
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
      const addresses = knownAddresses(url.hostname)
      if (addresses && !addresses.some((address) => isAllowed(address, port))) throw blocked()
      // Whether a range that opens this port holds the addresses of a name is known only once they are.
      if (closedPorts.has(port) && !ranges.some((range) => range.port === port)) throw blocked()
    },
    resolve: async (host, port, signal) => {
      signal.throwIfAborted()
      const name = hostName(host)
      if (name === undefined) throw blocked()
      const known = knownAddresses(name)?.filter((address) => isAllowed(address, port))
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
  // Behind a translator the address inside counts: an opened translator opens no private network.
  const inner = embeddedIpv4(address)
  return inner === undefined || allows(ranges, closedPorts, inner, port)
}

/** What needs no look-up: an address, or the names of this machine, which no name server may decide. */
function knownAddresses(hostname: string): readonly string[] | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (familyOf(host) !== undefined) return [host]
  return /(?:^|\.)localhost\.?$/i.test(host) ? ['127.0.0.1', '::1'] : undefined
}

/** The host as a URL would have it: numbers in any notation become addresses. */
function hostName(host: string): string | undefined {
  const isBareIpv6 = familyOf(host) === 6
  return URL.parse(isBareIpv6 ? `http://[${host}]` : `http://${host}`)?.hostname
}

async function ask(resolver: Resolver, host: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const found = await resolver(host, signal)
    if (found.length > 0) return found.map(({ address }) => address)
  } catch (cause) {
    signal.throwIfAborted()
    // Otherwise a caller could find out which names exist inside.
    if (isInternalName(host)) throw blocked()
    if (EngineError.is(cause)) throw cause
    throw noAddress(host, cause)
  }
  throw isInternalName(host) ? blocked() : noAddress(host)
}

/** Names that are never on the public Internet. */
function isInternalName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return !name.includes('.') || /\.(?:local|internal|intranet|lan|home|corp|private|home\.arpa)$/i.test(name)
}

function pinned(addresses: readonly string[]): Address {
  const [first, ...others] = addresses.slice(0, mostAddresses).map((address): Address => {
    return { address, family: familyOf(address) ?? 4 }
  })
  if (!first) throw blocked()
  return others.length > 0 ? { ...first, others } : first
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

// One sentence for every reason, which names nothing: the answer must not show what is behind a refused address.
function blocked(): EngineError {
  return new EngineError(
    'url_blocked',
    'This URL is blocked: its host is not public, or its port is not allowed. If it is yours, add its addresses to allowPrivate.',
  )
}

function blockedScheme(): EngineError {
  return new EngineError('url_blocked', 'Only addresses that begin with http:// or https:// can be visited.')
}

function noAddress(host: string, cause?: unknown): EngineError {
  const sentence = `The address of "${host}" could not be found out. Check its spelling, or try again later.`
  return new EngineError('dns_failed', sentence, { cause, details: { host } })
}
