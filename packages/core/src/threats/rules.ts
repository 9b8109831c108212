// Threat protection: checks hosts against the lists of a request.
import { canonicalHost } from '@harvestman/net'
import { EngineError, isRecord } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

/** The lists of a request. */
export interface ThreatLists {
  /** Hosts with their subdomains, or `*.host` for the subdomains only. */
  readonly blacklist: readonly string[]
  /** Takes precedence over the other lists. */
  readonly whitelist: readonly string[]
  readonly blockedTlds: readonly string[]
}

/** The rule that blocks a URL. */
export interface ThreatBlock {
  readonly rule: 'blacklist' | 'blocked-tld'
  /** The matching list entry. */
  readonly entry: string
}

/** Compiled lists of a request. */
export interface ThreatRules {
  /** Returns the rule that blocks a URL, if any. */
  find(url: URL): ThreatBlock | undefined
  /** Throws `unsafe_domain_blocked` if the URL is blocked. */
  check(url: URL): void
}

// Requests are frozen, so lists can be compiled once for all of their URLs.
const compiled = new WeakMap<ThreatLists, ThreatRules>()

/** Compiles the lists of a request. Returns `undefined` without lists. Cached by the object, which must not change. */
export function threatRules(lists: ThreatLists | undefined): ThreatRules | undefined {
  if (!lists) return undefined
  const known = compiled.get(lists)
  if (known) return known
  const rules = compile(lists)
  compiled.set(lists, rules)
  return rules
}

const maxHosts = 1_000

function compile({ blacklist, whitelist, blockedTlds }: ThreatLists): ThreatRules {
  const allowed = matcherOf(whitelist)
  const blocked = matcherOf(blacklist)
  const tlds = new Set(blockedTlds)
  const judge = (host: string): ThreatBlock | undefined => {
    if (allowed(host) !== undefined) return undefined
    const entry = blocked(host)
    if (entry !== undefined) return { rule: 'blacklist', entry }
    const tld = tldOf(host)
    return tld !== undefined && tlds.has(tld) ? { rule: 'blocked-tld', entry: tld } : undefined
  }
  const hosts = recentlyUsed<string, { readonly block: ThreatBlock | undefined }>(maxHosts)
  const find = ({ hostname }: URL): ThreatBlock | undefined => {
    const known = hosts.get(hostname)
    if (known) return known.block
    const host = canonicalHost(hostname)
    const block = host === undefined ? undefined : judge(host)
    hosts.set(hostname, { block })
    return block
  }
  return {
    find,
    check: (url) => {
      const block = find(url)
      if (block) throw blockedBy(block, url)
    },
  }
}

/** Returns a function that finds the list entry for a host, the most specific one first. */
function matcherOf(entries: readonly string[]): (host: string) => string | undefined {
  const whole = new Map<string, string>()
  const below = new Map<string, string>()
  for (const entry of entries) {
    const isBelow = entry.startsWith('*.')
    const host = canonicalHost(isBelow ? entry.slice(2) : entry)
    if (host !== undefined) (isBelow ? below : whole).set(host, entry)
  }
  return (host) => {
    for (let name: string | undefined = host; name !== undefined; name = parentOf(name)) {
      const entry = whole.get(name) ?? (name === host ? undefined : below.get(name))
      if (entry !== undefined) return entry
    }
    return undefined
  }
}

/** Returns the parent domain of a name. `undefined` for top-level domains and IPs. */
function parentOf(name: string): string | undefined {
  const dot = isIp(name) ? -1 : name.indexOf('.')
  return dot < 0 ? undefined : name.slice(dot + 1)
}

function tldOf(host: string): string | undefined {
  return isIp(host) ? undefined : host.slice(host.lastIndexOf('.') + 1)
}

/** Returns whether a canonical host is an IP. Names never end in a number. */
function isIp(host: string): boolean {
  return host.includes(':') || /^\d+(?:\.\d+){3}$/.test(host)
}

function blockedBy({ rule, entry }: ThreatBlock, url: URL): EngineError {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  const message = `Threat protection blocks ${shown.href}: ${JSON.stringify(entry)} is in ${lists[rule]} (${rule}).`
  return new EngineError('unsafe_domain_blocked', message, { details: { rule, entry } })
}

const lists: Readonly<Record<ThreatBlock['rule'], string>> = { blacklist: 'blacklist', 'blocked-tld': 'blockedTlds' }

/**
 * Returns the lists of a parsed request whose kind has the option `threatProtection`; `undefined` if it has none. They are not
 * checked.
 */
export function listsIn(request: unknown): ThreatLists | undefined {
  // Cast: the schema of the option parses to these lists.
  return isRecord(request) ? (request['threatProtection'] as ThreatLists | undefined) : undefined
}

/** Throws `unsafe_domain_blocked` if one of the URLs is blocked. Invalid URLs are ignored. */
export function checkThreats(urls: unknown, lists: ThreatLists | undefined): void {
  const rules = threatRules(lists)
  if (!rules || !Array.isArray(urls)) return
  for (const text of urls) {
    const url = URL.parse(String(text))
    if (url) rules.check(url)
  }
}
