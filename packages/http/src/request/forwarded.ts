// The only reader of the headers in which a reverse proxy describes the request that it received.
import { BlockList, isIP, isIPv6 } from 'node:net'

import { EngineError } from '@harvestman/core'

/** Which peers may set the `X-Forwarded-…` headers: all, none, or those of a list of addresses and networks. */
export type TrustedProxies = boolean | readonly string[]

/** Networks of this machine alone: a reverse proxy on the same machine connects from here. */
export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128']

/** What the headers of a trusted proxy say of a request; without one, what the connection shows. */
export interface Forwarded {
  /** IP address of the caller; an empty string if the connection does not show it. */
  readonly caller: string
  /** Scheme that the caller used; absent if no trusted proxy says so. */
  readonly scheme?: 'http' | 'https'
  /** Value of `X-Forwarded-Host`; only if proxies were named. */
  readonly host?: string
  /** Value of `X-Forwarded-Prefix`; only if proxies were named. */
  readonly prefix?: string
}

/** Reads the headers of a request from a peer. */
export type ReadForwarded = (request: Pick<Request, 'headers'>, peer: string | undefined) => Forwarded

/**
 * Makes the reader of forwarding headers. By default a proxy on this machine may give the caller and the scheme; host and prefix
 * need a setting, since proxies pass on what callers send. Headers are ignored if the peer is not a trusted proxy, because every caller can send
 * them. A framework may not say who the peer is: then only the scheme is read, which changes nothing but the links in the
 * sender's own response.
 */
export function makeForwarded(given?: TrustedProxies): ReadForwarded {
  const trusted = given ?? loopbackNetworks
  const isTrusted = typeof trusted === 'boolean' ? () => trusted : listOf(trusted)
  return ({ headers }, peer) => {
    const own = plainAddress(peer ?? '')
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

/** Each proxy appends the address of its own peer, so the caller is the last address that is not a proxy. */
function callerBehind(own: string, headers: Headers, isTrusted: (address: string) => boolean): string {
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plainAddress(hop.trim()))
  let caller = own
  while (isTrusted(caller)) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    caller = hop
    // Without a list, only the proxy that connects is known.
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

/** An address without a port, brackets or the IPv6 form of IPv4. */
function plainAddress(text: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? []
  return (inBrackets ?? beforePort ?? text).replace(/^::ffff:(?=\d+\.)/i, '')
}

function schemeOf(headers: Headers): 'http' | 'https' | undefined {
  const scheme = first(headers, 'x-forwarded-proto')?.toLowerCase()
  return scheme === 'http' || scheme === 'https' ? scheme : undefined
}

/** Each proxy adds its own value behind those of the proxies before it. */
function first(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.split(',', 1)[0]?.trim()
}
