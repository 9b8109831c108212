import ipaddr from 'ipaddr.js'

import { EngineError } from '@harvestman/ports'

/** Class of an IP address. Only `public` is allowed by default. */
export type AddressKind =
  | 'public'
  | 'metadata'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'multicast'
  | 'transition'
  | 'reserved'
  | 'invalid'

/** A range that the operator has allowed. */
export interface OpenRange {
  includes(address: string): boolean
  /** If set, only this port is allowed, even if it is blocked otherwise. */
  readonly port: number | undefined
  /** Whether the range is a single IP. */
  readonly isSingle: boolean
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6

// Cloud metadata services, which return credentials. One of them is in a public range.
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.169.253',
  '169.254.169.123',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '169.254.0.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
])

const kindsByRange: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  deprecatedSiteLocal: 'private',
  linkLocal: 'link-local',
  multicast: 'multicast',
  broadcast: 'multicast',
  rfc6145: 'transition',
  rfc6052: 'transition',
  '6to4': 'transition',
  teredo: 'transition',
}

// The range assigned for the public Internet. The library classifies every unknown range as public, including
// IPv4-compatible IPv6 addresses.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96')

/** Classifies an IP address; `invalid` if it is none. Accepts standard notation only: no octal, hexadecimal or short forms. */
export function addressKind(address: string): AddressKind {
  const ip = parseIp(address)
  if (!ip) return 'invalid'
  if (metadataAddresses.has(ip.toString())) return 'metadata'
  const kind = kindsByRange[ip.range()] ?? 'reserved'
  if (ip instanceof ipaddr.IPv4) return kind
  if (kind === 'public' && embeddedIpv4(address) !== undefined) return 'transition'
  return kind === 'public' && !ip.match(globalUnicast) ? 'reserved' : kind
}

/**
 * Returns the IPv4 address inside an IPv6 address of a transition mechanism such as NAT64, 6to4 or Teredo, or `undefined` if
 * there is none.
 */
export function embeddedIpv4(address: string): string | undefined {
  const ip = parseIp(address)
  if (!ip || ip instanceof ipaddr.IPv4) return undefined
  const bytes = ip.toByteArray()
  const range = ip.range()
  if (range === '6to4') return dotted(bytes.slice(2, 6))
  if (range === 'teredo') return dotted(bytes.slice(12).map((byte) => byte ^ 0xff))
  // ISATAP: any prefix, these four bytes, then the IPv4 address.
  const isIsatap = (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  const isCompatible = range === 'unicast' && ip.match(ipv4Compatible)
  return range === 'rfc6145' || range === 'rfc6052' || isIsatap || isCompatible ? dotted(bytes.slice(12)) : undefined
}

/**
 * Returns the IP version, or `undefined` if the string is not an IP address. Rejects IPs with a zone (`fe80::1%eth0`), which
 * are valid only on one interface of one host.
 */
export function familyOf(address: string): 4 | 6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return 4
  return !address.includes('%') && ipaddr.IPv6.isValid(address) ? 6 : undefined
}

/**
 * Normalizes a host as a URL parser does: numbers in any notation become IPs, IPv6 gets brackets. Returns `undefined` if it is
 * not a valid host.
 */
export function hostName(host: string): string | undefined {
  const isBareIpv6 = familyOf(host) === 6
  return URL.parse(isBareIpv6 ? `http://[${host}]` : `http://${host}`)?.hostname
}

/**
 * Returns the same string for all spellings of a host: lower case, Punycode, no final dot, IPs in standard notation,
 * IPv4-mapped IPs as IPv4. Returns `undefined` if the string is not a host.
 */
export function canonicalHost(host: string): string | undefined {
  const name = hostName(host)?.replace(/^\[|\]$|\.$/g, '')
  if (name === undefined || name === '') return undefined
  return parseIp(name)?.toString() ?? name
}

/**
 * Parses the ranges that an operator allows: `10.1.0.0/16`, `10.1.2.3`, `127.0.0.1/32:4400`, `::1/128:4400`, `[fd00::]/8:443`.
 * Throws `invalid_request` for the first invalid one.
 */
export function parseRanges(entries: readonly string[]): readonly OpenRange[] {
  return entries.map(parseRange)
}

const rangeForms = [
  /^(?<address>\d+\.\d+\.\d+\.\d+)(?:\/(?<bits>\d{1,3}))?(?::(?<port>\d{1,5}))?$/,
  /^\[(?<address>[\da-f:.]+)\](?:\/(?<bits>\d{1,3}))?(?::(?<port>\d{1,5}))?$/i,
  /^(?<address>[\da-f:.]*:[\da-f:.]*)(?:\/(?<bits>\d{1,3})(?::(?<port>\d{1,5}))?)?$/i,
]

function parseRange(entry: string): OpenRange {
  const form = rangeForms.map((form) => form.exec(entry.trim())?.groups).find((groups) => groups !== undefined)
  const [network, size] = form?.address ? unmapped(form.address, form.bits) : []
  const port = form?.port === undefined ? undefined : Number(form.port)
  const isPort = port === undefined || (port > 0 && port < 65_536)
  if (!network || size === undefined || !isPort) throw invalidRange(entry)
  return {
    includes: (address) => {
      const ip = parseIp(address)
      return ip !== undefined && ip.kind() === network.kind() && ip.match(network, size)
    },
    port,
    isSingle: size === network.toByteArray().length * 8,
  }
}

/** Converts an IPv4-mapped range to IPv4, because IPs are converted in the same way before they are compared. */
function unmapped(address: string, bits: string | undefined): [Ip, number] | [] {
  const ip = parseIp(address)
  const isIpv6 = address.includes(':')
  const maxBits = isIpv6 ? 128 : 32
  const size = bits === undefined ? maxBits : Number(bits)
  if (!ip || size > maxBits) return []
  if ((ip.kind() === 'ipv6') === isIpv6) return [ip, size]
  return size >= 96 ? [ip, size - 96] : []
}

function invalidRange(entry: string): EngineError {
  return new EngineError(
    'invalid_request',
    `The entry "${entry}" of allowPrivate is not a range of IP addresses. Write it as 10.1.0.0/16 or 127.0.0.1/32:4400.`,
    { details: { entry } },
  )
}

function parseIp(address: string): Ip | undefined {
  if (familyOf(address) === undefined) return undefined
  // The library parses `::1.2.3.4` as `::ffff:1.2.3.4`. Operating systems do not.
  const isMixed = address.includes(':') && address.includes('.')
  const plain = isMixed ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) : address
  return plain === undefined ? undefined : ipaddr.process(plain)
}

function dotted(bytes: readonly number[]): string {
  return bytes.join('.')
}
