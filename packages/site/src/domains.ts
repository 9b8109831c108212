import { isIP } from 'node:net'

import type * as tldts from 'tldts'

import { lateLibrary } from '@harvestman/toolbox/late-library'

const library = lateLibrary(import.meta.url, (require) => require('tldts') as typeof tldts)

/**
 * Returns the registrable domain of a host: `shop.example.co.uk` belongs to `example.co.uk`. Uses the public suffix list with
 * its private section, so two customers of one hosting service are two sites. IPs, names without dots and public suffixes are
 * their own domain. The result is in lower case, without a port.
 */
export function registrableDomain(hostname: string): string {
  const name = nameOf(hostname)
  if (isBare(name)) return name
  return library().getDomain(name, suffixes) ?? name
}

const suffixes = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const

/**
 * Returns whether two hosts are the same, apart from `www.`. Ports may be included; they matter only for IPs and names without a
 * dot, such as `localhost`.
 */
export function isSameHost(one: string, other: string): boolean {
  if (one === other) return true
  const [name, otherName] = [withoutWww(nameOf(one)), withoutWww(nameOf(other))]
  return name === otherName && arePortsEqual(name, one, other)
}

/**
 * Returns whether two hosts have the same registrable domain. Ports may be included; they matter only for IPs and names without a
 * dot, such as `localhost`.
 */
export function isSameSite(one: string, other: string): boolean {
  if (one === other) return true
  const domain = registrableDomain(one)
  return domain === registrableDomain(other) && arePortsEqual(domain, one, other)
}

/** Returns the host without `www.`. Unchanged if nothing with a dot would remain, as in `www.com`. */
export function withoutWww(hostname: string): string {
  return hostname.startsWith('www.') && hostname.includes('.', 4) ? hostname.slice(4) : hostname
}

// On localhost or an IP, each port is a separate site; with a domain name the port does not matter.
function arePortsEqual(name: string, one: string, other: string): boolean {
  return !isBare(name) || portOf(one) === portOf(other)
}

function isBare(name: string): boolean {
  return name.startsWith('[') || !name.includes('.') || isIP(name) !== 0
}

function nameOf(host: string): string {
  const end = portAt(host)
  const name = end < 0 ? host : host.slice(0, end)
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

function portOf(host: string): string {
  const at = portAt(host)
  return at < 0 ? '' : host.slice(at + 1)
}

function portAt(host: string): number {
  return host.startsWith('[') ? host.indexOf(':', host.indexOf(']')) : host.indexOf(':')
}
