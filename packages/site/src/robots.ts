import { longestFirst, matches, plainOctets, readPattern, type Pattern } from './robots-pattern.ts'

/** What a site asks of robots (RFC 9309). */
export interface RobotsRules {
  allows(url: string): boolean
  /** Milliseconds between two visits. As the site says; the scheduler has a bound of its own. */
  readonly crawlDelay?: number
  readonly sitemaps: readonly string[]
  /** Set when they could not be read: then nothing is allowed for now, and this is why. */
  readonly unread?: Unread
}

/** The status of a host that cannot answer at the moment, or what went wrong when it was asked. */
export type Unread = { readonly status: number } | { readonly message: string }

/** The least that a robot must read, and the most that this one does. */
export const mostRobotsBytes = 512_000

const mostSitemaps = 1_000

/** Rules for when nothing is asked, and for when the host did not answer. */
export const allowAll: RobotsRules = { allows: () => true, sitemaps: [] }
/** Rules of a site that may not be visited. */
export const allowNone: RobotsRules = { allows: () => false, sitemaps: [] }
export const unreadRules = (unread: Unread): RobotsRules => ({ ...allowNone, unread })

interface Group {
  readonly rules: Pattern[]
  delay: number | undefined
}

/** Why a robots file could not be read, as a sentence for the caller. */
export function sayUnread(unread: Unread): string {
  if ('message' in unread) return unread.message
  const { status } = unread
  return `The site answered ${status} when it was asked for its robots.txt, so it is not visited for now. Try again later.`
}

/** Reads robots.txt for one robot. `userAgent` may be a whole header: its first word names the robot. */
export function readRobots(text: string, userAgent: string): RobotsRules {
  const us = tokenOf(userAgent)
  const groups = { ours: emptyGroup(), others: emptyGroup() }
  const sitemaps: string[] = []
  let isOursNamed = false
  let current: Group[] = []
  let isNaming = false
  for (const [key, value] of linesOf(text)) {
    if (key === 'sitemap') {
      if (sitemaps.length < mostSitemaps && value !== '') sitemaps.push(value)
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
  rules.sort(longestFirst)
  return { allows: (url) => isAllowed(url, rules), sitemaps, ...(delay !== undefined && { crawlDelay: delay }) }
}

function isAllowed(url: string, rules: readonly Pattern[]): boolean {
  if (rules.length === 0) return true
  const path = pathOf(url)
  if (path === '/robots.txt') return true
  return rules.find((rule) => matches(rule, path))?.isAllow ?? true
}

/** What stands behind the host, without the fragment, in one spelling. */
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
    // The slash, the question mark and the number sign end the host.
    if (code === 47 || code === 63 || code === 35) return at
  }
  return url.length
}

function emptyGroup(): Group {
  return { rules: [], delay: undefined }
}

/** The name of a robot, without its version and what else people write there. */
function tokenOf(userAgent: string): string {
  // Robots that call themselves browsers have their name behind this word.
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
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text
  for (const line of whole.split(/\r\n?|\n/)) {
    const hash = line.indexOf('#')
    const said = hash < 0 ? line : line.slice(0, hash)
    const colon = said.indexOf(':')
    if (colon < 0) continue
    const key = said.slice(0, colon).trim().toLowerCase()
    yield [keys.get(key) ?? key, said.slice(colon + 1).trim()]
  }
}
