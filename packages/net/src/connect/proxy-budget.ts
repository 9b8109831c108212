import type { Clock } from '@harvestman/ports'

/** Limits for a period of time, which begins in UTC. Requests in progress may exceed `bytes` and `cost`. */
export interface ProxyBudget {
  readonly per: 'hour' | 'day' | 'month'
  readonly requests?: number | undefined
  /** Bytes sent and received. */
  readonly bytes?: number | undefined
  /** In the currency of the prices. */
  readonly cost?: number | undefined
}

/** Counts the use of a budget. */
export interface ProxyBudgetMeter {
  isLeft(): boolean
  /** Returns the end of the current period, in milliseconds since 1970. */
  until(): number
  add(use: ProxyUse): void
}

/** Use of a proxy. */
export interface ProxyUse {
  readonly requests?: number
  readonly bytes?: number
  readonly cost?: number
}

const limits = ['requests', 'bytes', 'cost'] as const
const hour = 3_600_000

/** Creates a meter whose counts begin again with each period. */
export function makeProxyBudget(budget: ProxyBudget, clock: Clock): ProxyBudgetMeter {
  const used = { requests: 0, bytes: 0, cost: 0 }
  let end = 0
  const renew = (): void => {
    if (clock.now() < end) return
    end = endOfPeriod(budget.per, clock.now())
    for (const name of limits) used[name] = 0
  }
  return {
    isLeft: () => {
      renew()
      return limits.every((name) => used[name] < (budget[name] ?? Infinity))
    },
    until: () => {
      renew()
      return end
    },
    add: (use) => {
      renew()
      for (const name of limits) used[name] += use[name] ?? 0
    },
  }
}

function endOfPeriod(per: ProxyBudget['per'], now: number): number {
  if (per === 'hour') return (Math.floor(now / hour) + 1) * hour
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  return per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1)
}
