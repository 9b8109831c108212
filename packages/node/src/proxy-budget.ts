import type { ProxyBudget } from '@harvestman/core'

const part = /^(\d+(?:\.\d+)?)\s*(requests?|GB)\s*\/\s*(hour|day|month)$/i

/**
 * Parses a budget such as `5000 requests/day` or `2000 requests/hour, 1.5 GB/hour`. Returns `undefined` without one, if it is
 * invalid, and if its parts have different periods or the same unit.
 */
export function parseProxyBudget(text: string | undefined): ProxyBudget | undefined {
  if (text === undefined) return undefined
  const limits = new Map<string, number>()
  const periods = new Set<string>()
  const parts = text.split(',')
  for (const each of parts) {
    const [, amount, unit = '', period = ''] = part.exec(each.trim()) ?? []
    if (amount === undefined) return undefined
    limits.set(unit.toLowerCase() === 'gb' ? 'gigabytes' : 'requests', Number(amount))
    periods.add(period.toLowerCase())
  }
  const [per] = periods
  if (periods.size !== 1 || limits.size !== parts.length) return undefined
  const gigabytes = limits.get('gigabytes')
  return {
    // Cast: the pattern allows no other periods.
    per: per as ProxyBudget['per'],
    requests: limits.get('requests'),
    bytes: gigabytes === undefined ? undefined : gigabytes * 1_000_000_000,
  }
}
