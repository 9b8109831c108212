// The only module that reads the forwarding headers of reverse proxies.
import { BlockList, isIP, isIPv6 } from 'node:net'

import { EngineError } from '@harvestman/core'

/** Peers that may set the `X-Forwarded-…` headers: all, none, or a list of IPs and CIDR blocks. */
export type TrustedProxies = boolean | readonly string[]

/** Loopback networks: a reverse proxy on the same host connects from here. */
export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128']

/** The original request as described by a trusted proxy; without one, by the connection. */
export interface Forwarded {
  /** IP address of the caller; an empty string if the connection does not show it. */
  readonly caller: string
  /** Scheme that the caller used; absent if no trusted proxy reports it. */
  readonly scheme?: 'http' | 'https'
  /** Value of `X-Forwarded-Host`; only if trusted proxies are configured. */
  readonly host?: string
  /** Value of `X-Forwarded-Prefix`; only if trusted proxies are configured. */
  readonly prefix?: string
}

/** Reads the forwarding headers of a request from a peer. */
export type ReadForwarded = (request: Pick<Request, 'headers'>, peer: string | undefined) => Forwarded

/**
 * Creates the reader of forwarding headers. By default a proxy on localhost may set the caller and the scheme. Host and prefix
 * require a setting, since most proxies forward these headers unchanged. Headers of untrusted peers are ignored, because every
 * caller can send them. If the framework does not report the peer, only the scheme is read, which only affects the links in
 * the sender's own response. Throws `invalid_request` for an entry that is neither an IP nor a CIDR block.
 */
export function makeForwarded(given?: TrustedProxies): ReadForwarded {
  const trusted = given ?? loopbackNetworks
  const isTrusted = typeof trusted === 'boolean' ? () => trusted : listOf(trusted)
  return ({ headers }, peer) => {
    const own = plainIp(peer ?? '')
    const scheme = schemeOf(headers)
    if (own === '' && trusted !== true) return { caller: '', ...(scheme && { scheme }) }
    if (!isTrusted(own)) return { caller: own }
    const named = given === undefined ? [] : ['x-forwarded-host', 'x-forwarded-prefix']
    const [host, prefix] = named.map((name) => first(headers, name))
    return {
      caller: callerBehind(own, headers, isTrusted),
      ...(scheme && { scheme }),
      ...(host !== undefined && { host }),
      ...(prefix !== undefined && { prefix }),
    }
  }
}

/** Returns the last IP in the chain that is not a trusted proxy. Each proxy appends the IP of its peer. */
function callerBehind(own: string, headers: Headers, isTrusted: (address: string) => boolean): string {
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plainIp(hop.trim()))
  let caller = own
  while (isTrusted(caller)) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    caller = hop
    // If all peers are trusted, only one hop is known to be a proxy.
    if (isTrusted('')) break
  }
  return caller
}

function listOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const { address, bits } = parseNetwork(network)
    list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function parseNetwork(text: string): { readonly address: string; readonly bits: number } {
  const [address = '', bits, ...more] = text.trim().split('/')
  const most = isIPv6(address) ? 128 : 32
  const count = bits === undefined ? most : Number(bits)
  const isRight = isIP(address) !== 0 && more.length === 0 && bits !== '' && Number.isInteger(count) && count >= 0
  if (isRight && count <= most) return { address, bits: count }
  throw new EngineError(
    'invalid_request',
    `${JSON.stringify(text)} is not a network of trusted proxies. Write an IP address or CIDR block, such as 10.0.0.0/8.`,
  )
}

/** Returns an IP without port, brackets or the IPv4-mapped IPv6 prefix. */
function plainIp(text: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? []
  return (inBrackets ?? beforePort ?? text).replace(/^::ffff:(?=\d+\.)/i, '')
}

function schemeOf(headers: Headers): 'http' | 'https' | undefined {
  const scheme = first(headers, 'x-forwarded-proto')?.toLowerCase()
  return scheme === 'http' || scheme === 'https' ? scheme : undefined
}

/** Returns the first value of a header. Each proxy appends its own value. */
function first(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.split(',', 1)[0]?.trim()
}
