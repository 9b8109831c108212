import type { Guard } from '@harvestman/ports'
import type { ThreatRules } from './rules.ts'

/**
 * Returns a guard whose `checkUrl` also throws `unsafe_domain_blocked` for URLs blocked by the rules; without rules, the guard
 * itself. Used for robots.txt and sitemaps, which no scrape loads.
 */
export function withThreatRules(guard: Guard, threats: ThreatRules | undefined): Guard {
  if (!threats) return guard
  return {
    checkUrl: (url) => {
      threats.check(url)
      guard.checkUrl(url)
    },
    resolve: (host, port, signal) => guard.resolve(host, port, signal),
  }
}
