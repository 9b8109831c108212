import type { Labels, Name } from './families.ts'

/** State of a proxy: an item of the result of `staticProxies(…).status()`. */
export interface ProxyFigures {
  /** Name without credentials. */
  readonly name: string
  readonly tier: string
  readonly state: string
  readonly bans: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly bytes: number
  readonly cost: number
  /** Milliseconds. */
  readonly latency: number | undefined
}

interface ProxySeries {
  readonly name: Name
  readonly labels: Labels
  readonly value: number
}

const maxProxies = 100

/** Returns the metrics of the proxies that were used most, at most 100. */
export function proxySeries(proxies: readonly ProxyFigures[]): readonly ProxySeries[] {
  const used = ({ outcomes }: ProxyFigures): number => Object.values(outcomes).reduce((sum, count) => sum + count, 0)
  const most = proxies.toSorted((a, b) => used(b) - used(a)).slice(0, maxProxies)
  return most.flatMap(({ name: proxy, tier, state, bans, outcomes, bytes, cost, latency }) => {
    const labels = { proxy, tier }
    const counts = Object.entries(outcomes).map(([outcome, value]) => ({
      ...{ name: 'harvestman_proxy_requests_total' as const, labels: { ...labels, outcome }, value },
    }))
    const seconds =
      latency === undefined
        ? []
        : [{ name: 'harvestman_proxy_latency_seconds' as const, labels, value: latency / 1_000 }]
    return [
      ...counts,
      { name: 'harvestman_proxy_ready', labels, value: state === 'ready' || state === 'probing' ? 1 : 0 },
      { name: 'harvestman_proxy_bans', labels, value: bans },
      { name: 'harvestman_proxy_bytes_total', labels, value: bytes },
      { name: 'harvestman_proxy_cost_total', labels, value: cost },
      ...seconds,
    ]
  })
}
