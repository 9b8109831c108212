import ipaddr from 'ipaddr.js'

import { EngineError } from '@harvestman/ports'

/** Only what is `public` may be visited by default. */
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

/** A range that the operator opened. */
export interface OpenRange {
  includes(address: string): boolean
  /** Opens this port only; opens it even where the port itself is refused. */
  readonly port: number | undefined
  /** Names exactly one address. */
  readonly isSingle: boolean
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6

// Where clouds keep the credentials of their machines. One of them stands in a public range.
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

// All that is given out to the public Internet. The library calls everything public that it has no name for,
// addresses that embed an IPv4 address behind 96 zero bits among them.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96')

/** Says what an address is for. Takes one written the plain way only: no octal, hexadecimal or short forms. */
export function addressKind(address: string): AddressKind {
  const ip = parseIp(address)
  if (!ip) return 'invalid'
  if (metadataAddresses.has(ip.toString())) return 'metadata'
  const kind = kindsByRange[ip.range()] ?? 'reserved'
  if (ip instanceof ipaddr.IPv4) return kind
  if (kind === 'public' && embeddedIpv4(address) !== undefined) return 'transition'
  return kind === 'public' && !ip.match(globalUnicast) ? 'reserved' : kind
}

/** The IPv4 address that a translator or tunnel would take out of this one, if it is of such a kind. */
export function embeddedIpv4(address: string): string | undefined {
  const ip = parseIp(address)
  if (!ip || ip instanceof ipaddr.IPv4) return undefined
  const bytes = ip.toByteArray()
  const range = ip.range()
  if (range === '6to4') return dotted(bytes.slice(2, 6))
  if (range === 'teredo') return dotted(bytes.slice(12).map((byte) => byte ^ 0xff))
  // An ISATAP host puts its IPv4 address behind these four bytes, under any prefix.
  const isIsatap = (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  const isCompatible = range === 'unicast' && ip.match(ipv4Compatible)
  return range === 'rfc6145' || range === 'rfc6052' || isIsatap || isCompatible ? dotted(bytes.slice(12)) : undefined
}

/**
 * Four or six; nothing when it is not an address. One with a zone (`fe80::1%eth0`) is none: it means something on one
 * link of one machine only.
 */
export function familyOf(address: string): 4 | 6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return 4
  return !address.includes('%') && ipaddr.IPv6.isValid(address) ? 6 : undefined
}

/** Reads what an operator opens: `10.1.0.0/16`, `10.1.2.3`, `127.0.0.1/32:4400`, `::1/128:4400`, `[fd00::]/8:443`. */
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

/** A range of mapped addresses is one of IPv4: that is how an address is looked at before it is compared. */
function unmapped(address: string, bits: string | undefined): [Ip, number] | [] {
  const ip = parseIp(address)
  const isIpv6 = address.includes(':')
  const whole = isIpv6 ? 128 : 32
  const size = bits === undefined ? whole : Number(bits)
  if (!ip || size > whole) return []
  if ((ip.kind() === 'ipv6') === isIpv6) return [ip, size]
  return size >= 96 ? [ip, size - 96] : []
}

function invalidRange(entry: string): EngineError {
  return new EngineError(
    'invalid_request',
    `The entry "${entry}" of allowPrivate is not a range of addresses. Write it like 10.1.0.0/16 or 127.0.0.1/32:4400.`,
    { details: { entry } },
  )
}

function parseIp(address: string): Ip | undefined {
  if (familyOf(address) === undefined) return undefined
  // The library takes `::1.2.3.4` for `::ffff:1.2.3.4`, which to every system is another address.
  const isMixed = address.includes(':') && address.includes('.')
  const plain = isMixed ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) : address
  return plain === undefined ? undefined : ipaddr.process(plain)
}

function dotted(bytes: readonly number[]): string {
  return bytes.join('.')
}
