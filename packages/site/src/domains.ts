import { isIP } from 'node:net'

import type * as tldts from 'tldts'

import { lateLibrary } from '@harvestman/ports/adapters'

const library = lateLibrary(import.meta.url, (require) => require('tldts') as typeof tldts)

/**
 * The name that one owner registered, with all below it: `shop.example.co.uk` belongs to `example.co.uk`. By the public
 * suffix list with its private part, so that two pages of one hosting service are two sites. An address, a name without
 * dots and a suffix itself stand for themselves.
 */
export function registrableDomain(hostname: string): string {
  const name = nameOf(hostname)
  if (isBare(name)) return name
  return library().getDomain(name, suffixes) ?? name
}

const suffixes = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const

/** Whether two hosts show one site, `www.` or not. They may be given with their ports. */
export function isSameHost(one: string, other: string): boolean {
  if (one === other) return true
  const [name, otherName] = [withoutWww(nameOf(one)), withoutWww(nameOf(other))]
  return name === otherName && arePortsEqual(name, one, other)
}

/** Whether two hosts belong to one registrable domain. They may be given with their ports. */
export function isSameSite(one: string, other: string): boolean {
  if (one === other) return true
  const domain = registrableDomain(one)
  return domain === registrableDomain(other) && arePortsEqual(domain, one, other)
}

/** Without `www.`, which says nothing of what is there. */
export function withoutWww(hostname: string): string {
  return hostname.startsWith('www.') && hostname.includes('.', 4) ? hostname.slice(4) : hostname
}

// On one machine each port is a site of its own; behind a public name a port is a way in.
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
