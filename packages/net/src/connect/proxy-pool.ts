import { EngineError, type Clock, type PickedProxy, type ProxyRequest, type ProxyResult } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeProxyBudget, type ProxyBudget, type ProxyBudgetMeter } from './proxy-budget.ts'
import { makeProxyHealth, type ProxyHealth, type ProxyVerdict } from './proxy-health.ts'

type Tier = ProxyRequest['tier']
type Outcome = ProxyResult['outcome']

/** A checked proxy of a list. */
export interface PooledProxy {
  readonly tier: Tier
  readonly name: string
  readonly url: string
  /** In upper case. */
  readonly country: string | undefined
  readonly budget?: ProxyBudget | undefined
  readonly price?: ProxyPrice | undefined
}

/** Price of the use of a proxy, in any currency. */
export interface ProxyPrice {
  readonly request?: number | undefined
  readonly gigabyte?: number | undefined
}

/** State of a proxy. */
export interface ProxyStatus {
  readonly name: string
  readonly tier: Tier
  readonly country: string | undefined
  /** `resting` until the end of a cool-down, then `probing` until one request has succeeded. `spent`: no budget is left. */
  readonly state: 'ready' | 'resting' | 'probing' | 'spent'
  /** End of the cool-down or of the period of the budget, in milliseconds since 1970. */
  readonly until: number | undefined
  /** Number of hosts for which it is not used at the moment, because they block it or are not reached through it. */
  readonly bans: number
  readonly requests: number
  /** Number of ended requests by outcome. */
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** Bytes sent and received. */
  readonly bytes: number
  readonly cost: number
  /** Moving average of the milliseconds until the first byte of a response. */
  readonly latency: number | undefined
}

/** Proxies that are chosen by their health. */
export interface ProxyPool {
  pick(request: ProxyRequest): PickedProxy | undefined
  status(): readonly ProxyStatus[]
}

interface Member extends PooledProxy {
  readonly health: ProxyHealth
  /** Hosts that were not reached since the last success. */
  readonly missed: Set<string>
  /** Budgets of the proxy and of its tier. */
  readonly budgets: readonly ProxyBudgetMeter[]
  readonly counts: { requests: number; bytes: number; cost: number; readonly outcomes: Record<Outcome, number> }
  /** Balance of the weighted round robin. */
  turn: number
  readonly onBytes: (bytes: number) => void
}

/** Health of the proxies that were used for one host. */
type AtHost = Map<Member, ProxyHealth>

const maxHealths = 10_000
const maxHosts = 2_000
const maxSessions = 10_000
// A proxy through which several hosts in a row are not reached is down, even if it accepts connections.
const maxMissed = 3
const minWeight = 0.03
const downFor = { first: 10_000, longest: 600_000 }
const bannedFor = { first: 60_000, longest: 3_600_000 }
const gigabyte = 1_000_000_000

/** Creates a pool. See `staticProxies`. */
export function makeProxyPool(
  proxies: readonly PooledProxy[],
  budgets: Readonly<Partial<Record<Tier, ProxyBudget | undefined>>>,
  clock: Clock,
): ProxyPool {
  const ofTier = { basic: meterOf(budgets.basic, clock), enhanced: meterOf(budgets.enhanced, clock) }
  const members = proxies.map((proxy) => makeMember(proxy, ofTier[proxy.tier], clock))
  const sessions = recentlyUsed<string, Member>(maxSessions)
  const hosts = makeHosts(clock)

  const pick: ProxyPool['pick'] = (request) => {
    const { host = '', session } = request
    const matching = matchingMembers(members, request)
    if (matching.length === 0) return undefined
    const paid = matching.filter((member) => spentUntil(member) === undefined)
    if (paid.length === 0) throw spent(request, matching)
    const atHost = hosts.of(host)
    const keys = session === undefined ? [] : sessionKeys(request)
    const known = keys.flatMap((key) => sessions.get(key) ?? [])
    const kept = known.find((member) => paid.includes(member) && isUsable(member, atHost))
    const member = kept ?? choose(paid, atHost)
    if (session !== undefined) for (const key of keysAfter(request)) sessions.set(key, member)
    return lease(member, host, hosts.healthOf(member, host))
  }
  return { pick, status: () => members.map((member) => statusOf(member, hosts.bansOf(member))) }
}

/**
 * Returns where the proxy of a session for a host is stored, best first. A request without a host, such as that of a live browser
 * in which a person logs in, uses the last proxy of the session, and pages of new hosts then use that one.
 */
function sessionKeys(request: ProxyRequest): readonly string[] {
  return request.host === undefined ? [lastKey(request)] : [hostKey(request), hostKey({ ...request, host: '' })]
}

function keysAfter(request: ProxyRequest): readonly string[] {
  return [hostKey(request), lastKey(request)]
}

function hostKey({ tier, country, session, host = '' }: ProxyRequest): string {
  return JSON.stringify([tier, country, session, host])
}

function lastKey({ tier, country, session }: ProxyRequest): string {
  return JSON.stringify([tier, country, session])
}

/** Creates the health by host and proxy, which forgets the least recently used hosts. */
function makeHosts(clock: Clock) {
  let count = 0
  const hosts = recentlyUsed<string, AtHost>(maxHosts, { onRemoved: ({ size }) => void (count -= size) })
  const healthOf = (member: Member, host: string): ProxyHealth => {
    const atHost = hosts.get(host) ?? new Map<Member, ProxyHealth>()
    const known = atHost.get(member)
    if (known) return known
    const health = makeProxyHealth(clock, bannedFor)
    if (atHost.size === 0) hosts.set(host, atHost)
    atHost.set(member, health)
    count += 1
    for (const oldest of count > maxHealths ? hosts.keys() : []) if (count > maxHealths) hosts.delete(oldest)
    return health
  }
  const bansOf = (member: Member): number =>
    hosts.keys().filter((host) => hosts.get(host)?.get(member)?.state === 'resting').length
  return { of: (host: string) => hosts.get(host), healthOf, bansOf }
}

function meterOf(budget: ProxyBudget | undefined, clock: Clock): ProxyBudgetMeter[] {
  return budget ? [makeProxyBudget(budget, clock)] : []
}

function makeMember(proxy: PooledProxy, ofTier: readonly ProxyBudgetMeter[], clock: Clock): Member {
  const { price = {} } = proxy
  const budgets = [...meterOf(proxy.budget, clock), ...ofTier]
  const outcomes = { ok: 0, blocked: 0, failed: 0, down: 0, unknown: 0 }
  const counts: Member['counts'] = { requests: 0, bytes: 0, cost: 0, outcomes }
  return {
    ...proxy,
    health: makeProxyHealth(clock, downFor),
    missed: new Set(),
    ...{ budgets, counts, turn: 0 },
    onBytes: (bytes) => {
      const cost = (bytes / gigabyte) * (price.gigabyte ?? 0)
      counts.bytes += bytes
      counts.cost += cost
      for (const budget of budgets) budget.add({ bytes, cost })
    },
  }
}

/** Returns the proxies of the country, or else those without one. */
function matchingMembers(members: readonly Member[], { tier, country }: ProxyRequest): readonly Member[] {
  const ofTier = members.filter((member) => member.tier === tier)
  const ofCountry = ofTier.filter((member) => member.country === country.toUpperCase())
  return ofCountry.length > 0 ? ofCountry : ofTier.filter((member) => member.country === undefined)
}

function isUsable(member: Member, atHost: AtHost | undefined): boolean {
  return member.health.isUsable() && (atHost?.get(member)?.isUsable() ?? true)
}

/** Chooses by weighted round robin among the usable proxies, or the one that will be usable first. */
function choose(members: readonly Member[], atHost: AtHost | undefined): Member {
  const usable = members.filter((member) => isUsable(member, atHost))
  if (usable.length === 0) return soonest(members, atHost)
  const weights = weightsOf(usable, atHost)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, member] of usable.entries()) member.turn += weights[index]!
  const chosen = usable.reduce((best, member) => (member.turn > best.turn ? member : best))
  chosen.turn -= total
  return chosen
}

/** Proxies that are down come last: a host that blocks a proxy may still respond. */
function soonest(members: readonly Member[], atHost: AtHost | undefined): Member {
  const until = (member: Member): number =>
    member.health.isUsable() ? (atHost?.get(member)?.until ?? 0) : member.health.until + bannedFor.longest
  return members.reduce((best, member) => (until(member) < until(best) ? member : best))
}

/** Weights by success and latency at the host, or at all hosts if the proxy has no result for it. */
function weightsOf(members: readonly Member[], atHost: AtHost | undefined): readonly number[] {
  const fastest = (latencies: readonly (number | undefined)[]): number =>
    Math.min(...latencies.map((latency) => latency ?? Infinity))
  const here = members.map((member) => atHost?.get(member))
  const [fastestHere, fastestOfAll] = [
    fastest(here.map((health) => health?.latency)),
    fastest(members.map(({ health }) => health.latency)),
  ]
  return members.map(({ health }, index) => {
    const own = here[index]
    const speed = own?.latency ? fastestHere / own.latency : health.latency ? fastestOfAll / health.latency : 1
    return Math.max(minWeight, (speed * Math.min(health.success, own?.success ?? 1)) ** 2)
  })
}

/** Counts a request, and returns the proxy for it. */
function lease(member: Member, host: string, atHost: ProxyHealth): PickedProxy {
  const { url, health, counts, budgets, price, onBytes } = member
  const cost = price?.request ?? 0
  counts.requests += 1
  counts.cost += cost
  for (const budget of budgets) budget.add({ requests: 1, cost })
  const end = health.begin()
  const endAtHost = atHost.begin()
  let isReported = false
  return {
    url,
    onBytes,
    report: (result) => {
      if (isReported) return
      isReported = true
      counts.outcomes[result.outcome] += 1
      end(ofProxy(member, host, result))
      endAtHost(atTheHost(result))
    },
  }
}

/** Returns what a result says about the proxy at all hosts. A host that blocks it proves that it works. */
function ofProxy({ missed }: Member, host: string, { outcome, latency }: ProxyResult): ProxyVerdict | undefined {
  if (outcome === 'ok' || outcome === 'blocked') missed.clear()
  if (outcome === 'ok') return { isGood: true, latency }
  if (outcome === 'blocked') return { isGood: true }
  if (outcome === 'failed') missed.add(host)
  const isDown = outcome === 'down' || missed.size >= maxMissed
  if (isDown) missed.clear()
  return isDown ? { isGood: false } : undefined
}

/** Returns what a result says about the proxy at this host. A single failure may be a problem of the host. */
function atTheHost({ outcome, latency, retryAfter }: ProxyResult): ProxyVerdict | undefined {
  if (outcome === 'ok') return { isGood: true, latency }
  if (outcome === 'blocked') return { isGood: false, rest: retryAfter }
  return outcome === 'failed' ? { isGood: false, isDoubtful: true } : undefined
}

/** Returns the end of the period for which the budget is used up, or `undefined` if some is left. */
function spentUntil({ budgets }: Member): number | undefined {
  const ends = budgets.flatMap((budget) => (budget.isLeft() ? [] : [budget.until()]))
  return ends.length > 0 ? Math.max(...ends) : undefined
}

function spent({ tier, country }: ProxyRequest, members: readonly Member[]): EngineError {
  const resetsAt = new Date(Math.min(...members.map((member) => spentUntil(member) ?? 0))).toISOString()
  const message = `The budget of the ${tier} proxies for ${country} is used up. Raise it, or try again after ${resetsAt}.`
  return new EngineError('proxy_budget_exceeded', message, { details: { tier, resetsAt } })
}

function statusOf(member: Member, bans: number): ProxyStatus {
  const { name, tier, country, health, counts } = member
  const end = spentUntil(member)
  const state = end === undefined ? health.state : 'spent'
  const until = end ?? (state === 'resting' ? health.until : undefined)
  const { outcomes, ...rest } = counts
  return { name, tier, country, state, until, bans, ...rest, outcomes: { ...outcomes }, latency: health.latency }
}
