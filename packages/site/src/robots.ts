import { plainOctets } from '@harvestman/toolbox/plain-octets'

import { compareByLength, matches, readPattern, type Pattern } from './robots-pattern.ts'

/** The rules of a robots.txt file for one robot (RFC 9309). */
export interface RobotsRules {
  allows(url: string): boolean
  /** Milliseconds between two visits, as the site requests it; the scheduler has a maximum of its own. */
  readonly crawlDelay?: number
  readonly sitemaps: readonly string[]
  /** Set if the file could not be read: nothing is allowed then, and this is the reason. */
  readonly unread?: Unread
}

/** The status of a failed response, or the message of an error. */
export type Unread = { readonly status: number } | { readonly message: string }

/** The size that a robot must read at least (RFC 9309), and the maximum that this one reads. */
export const maxRobotsBytes = 512_000

const maxSitemaps = 1_000

/** Rules if the site has no robots.txt. */
export const allowAll: RobotsRules = { allows: () => true, sitemaps: [] }
/** Rules of a site that may not be visited. */
export const allowNone: RobotsRules = { allows: () => false, sitemaps: [] }
/** Returns rules that allow nothing, because the file could not be read. */
export const unreadRules = (unread: Unread): RobotsRules => ({ ...allowNone, unread })

interface Group {
  readonly rules: Pattern[]
  delay: number | undefined
}

/** Returns a sentence on why a robots file could not be read. */
export function describeUnread(unread: Unread): string {
  if ('message' in unread) return unread.message
  const { status } = unread
  return `The robots.txt of the site returned status ${status}, so the site is not visited now. Try again later.`
}

/**
 * Parses robots.txt for one robot. `userAgent` may be a complete header. Invalid lines are ignored; without a matching group
 * everything is allowed.
 */
export function readRobots(text: string, userAgent: string): RobotsRules {
  const us = tokenOf(userAgent)
  const groups = { ours: emptyGroup(), others: emptyGroup() }
  const sitemaps: string[] = []
  let isOursNamed = false
  let current: Group[] = []
  let isNaming = false
  for (const [key, value] of linesOf(text)) {
    if (key === 'sitemap') {
      if (sitemaps.length < maxSitemaps && value !== '') sitemaps.push(value)
    } else if (key === 'user-agent') {
      if (!isNaming) current = []
      isNaming = true
      const token = /^\*(?:\s|$)/.test(value) ? '*' : tokenOf(value)
      if (token === us) isOursNamed = true
      if (token === us) current.push(groups.ours)
      else if (token === '*') current.push(groups.others)
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
      const pattern = readPattern(value, key === 'allow')
      if (pattern) for (const group of current) group.rules.push(pattern)
    } else if (key === 'crawl-delay') {
      isNaming = false
      const delay = millisecondsOf(value)
      for (const group of current) group.delay ??= delay
    }
  }
  const { rules, delay } = isOursNamed ? groups.ours : groups.others
  rules.sort(compareByLength)
  return { allows: (url) => isAllowed(url, rules), sitemaps, ...(delay !== undefined && { crawlDelay: delay }) }
}

function isAllowed(url: string, rules: readonly Pattern[]): boolean {
  if (rules.length === 0) return true
  const path = pathOf(url)
  if (path === '/robots.txt') return true
  return rules.find((rule) => matches(rule, path))?.isAllow ?? true
}

/** Returns the path and query of a URL, normalized. */
function pathOf(url: string): string {
  const host = url.indexOf('://') + 3
  const start = host < 3 ? 0 : nextOf(url, host)
  const end = url.indexOf('#', start)
  const path = end < 0 ? url.slice(start) : url.slice(start, end)
  return plainOctets(path.startsWith('/') ? path : `/${path}`)
}

function nextOf(url: string, from: number): number {
  for (let at = from; at < url.length; at++) {
    const code = url.charCodeAt(at)
    // `/`, `?` and `#` end the host.
    if (code === 47 || code === 63 || code === 35) return at
  }
  return url.length
}

function emptyGroup(): Group {
  return { rules: [], delay: undefined }
}

/** Returns the product token of a user agent in lower case, without version and comments. */
function tokenOf(userAgent: string): string {
  // Robots that imitate browsers put their name after `compatible;`.
  const compatible = /^Mozilla\/[^(]*\(compatible; *([\w-]+)/i.exec(userAgent.trim())?.[1]
  return (compatible ?? /^[\w-]*/.exec(userAgent.trim())![0]).toLowerCase()
}

function millisecondsOf(value: string): number | undefined {
  const seconds = /^\d+(?:\.\d+)?|^\.\d+/.exec(value)?.[0]
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000)
}

const keys: ReadonlyMap<string, string> = new Map([
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
])

function* linesOf(text: string): Generator<readonly [key: string, value: string]> {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  for (const line of content.split(/\r\n?|\n/)) {
    const hash = line.indexOf('#')
    const rule = hash < 0 ? line : line.slice(0, hash)
    const colon = rule.indexOf(':')
    if (colon < 0) continue
    const key = rule.slice(0, colon).trim().toLowerCase()
    yield [keys.get(key) ?? key, rule.slice(colon + 1).trim()]
  }
}
