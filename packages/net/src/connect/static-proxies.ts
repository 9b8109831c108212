import { EngineError, systemClock, type Clock, type Proxies } from '@harvestman/ports'
import { parseProxy } from './proxy-address.ts'
import type { ProxyBudget } from './proxy-budget.ts'
import type { PooledProxy, ProxyPool, ProxyPrice, ProxyStatus } from './proxy-pool.ts'

export type { ProxyBudget, ProxyPrice, ProxyStatus }

/** A proxy by its URL, `scheme://user:password@host:port`, or with further properties. */
export type StaticProxy = string | StaticProxyOptions

/** A proxy of a list. */
export interface StaticProxyOptions {
  readonly url: string
  /** Two-letter code of the country, if known. */
  readonly country?: string | undefined
  /** Name in the status and in metrics. Default: host and port. */
  readonly name?: string | undefined
  readonly budget?: ProxyBudget | undefined
  /** Price for the budget `cost`. */
  readonly price?: ProxyPrice | undefined
}

/** The proxies of `staticProxies`, by tier. */
export interface StaticProxiesOptions {
  readonly basic?: readonly StaticProxy[] | undefined
  readonly enhanced?: readonly StaticProxy[] | undefined
  /** Budgets of whole tiers. Budgets of proxies apply as well. */
  readonly budgets?:
    | { readonly basic?: ProxyBudget | undefined; readonly enhanced?: ProxyBudget | undefined }
    | undefined
  readonly clock?: Clock | undefined
}

/** Proxies of a list, with their state. */
export interface StaticProxies extends Proxies {
  /** Returns the state of each proxy, without credentials. */
  status(): Promise<readonly ProxyStatus[]>
}

const tiers = ['basic', 'enhanced'] as const
const periods: ReadonlySet<string> = new Set(['hour', 'day', 'month'])

/**
 * Chooses proxies from lists by their health. Uses proxies of the requested tier and country, or else proxies without a country,
 * but never proxies of another country; `pick` resolves to `undefined` if there are none.
 *
 * Proxies that are reliable and fast for the host are chosen more often. A proxy that is down, or that the host blocks, is not
 * used until a cool-down ends, and then by one request, whose result decides; each further cool-down is twice as long. If all
 * proxies are cooling down, the next one to be ready is used. Requests with the same session and host keep their proxy while it
 * works. `pick` rejects with `proxy_budget_exceeded` if the budgets of all matching proxies are used up.
 *
 * The state is in memory: each process has its own, and a restart clears it. Throws `invalid_request` if the URL of a proxy or
 * a budget is invalid.
 */
export function staticProxies({ budgets = {}, clock = systemClock, ...lists }: StaticProxiesOptions): StaticProxies {
  for (const tier of tiers) checkBudget(budgets[tier])
  const names = new Map<string, number>()
  const entries = tiers.flatMap((tier) => (lists[tier] ?? []).map((entry) => pooled(tier, entry, names)))
  // Loaded when a proxy is first needed, because most engines have none.
  let pool: Promise<ProxyPool> | undefined
  const open = (): Promise<ProxyPool> =>
    (pool ??= import('./proxy-pool.ts').then(({ makeProxyPool }) => makeProxyPool(entries, budgets, clock)))
  return {
    pick: async (request) => (await open()).pick(request),
    status: async () => (await open()).status(),
  }
}

/** Checks an entry of a list. An invalid URL is reported at configuration time, not when a page is requested. */
function pooled(tier: PooledProxy['tier'], entry: StaticProxy, names: Map<string, number>): PooledProxy {
  const options = typeof entry === 'string' ? { url: entry } : entry
  const { host, port } = parseProxy(options.url)
  checkBudget(options.budget)
  const name = options.name ?? `${host.includes(':') ? `[${host}]` : host}:${port}`
  // Several users of one proxy are several proxies.
  const count = (names.get(name) ?? 0) + 1
  names.set(name, count)
  return { ...options, tier, name: count === 1 ? name : `${name} #${count}`, country: options.country?.toUpperCase() }
}

function checkBudget(budget: ProxyBudget | undefined): void {
  if (!budget) return
  const { per, requests, bytes, cost } = budget
  const given = [requests, bytes, cost].filter((limit) => limit !== undefined)
  if (periods.has(per) && given.length > 0 && given.every((limit) => limit >= 0)) return
  throw new EngineError(
    'invalid_request',
    `${JSON.stringify(budget)} is not a budget of proxies. Set per (hour, day or month) and requests, bytes or cost, as numbers from 0.`,
  )
}
