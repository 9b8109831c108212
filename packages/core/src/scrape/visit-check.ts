import { threatRules } from '../threats/rules.ts'
import type { ScrapeContext } from './context.ts'
import { proxySession } from '../lib/pick-proxy.ts'
import { siteRoute } from './site-route.ts'

/**
 * Returns a function that rejects if a URL may not be visited, with a code such as `robots_denied` or `unsafe_domain_blocked`;
 * `undefined` if every page may be visited. Problems with the rules are reported as warnings of this scrape.
 */
export function makeVisitCheck({
  plan,
  kit,
  caller: { team, id, group },
  time,
}: ScrapeContext): ((url: URL) => Promise<void>) | undefined {
  const { mayVisit } = kit
  const threats = threatRules(plan.request.threatProtection)
  if (!mayVisit) return threats && (async (url) => threats.check(url))
  const { signal } = time
  // The rules of robots.txt would be requested from the host.
  if (plan.isLockdown)
    return async (url) => {
      threats?.check(url)
      await kit.policies.url(url, { team, signal, isOffline: true })
    }
  const tell = (message: string): void => kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
  const route = siteRoute(plan.request, proxySession(team, plan.request.profile, group))
  return async (url) => {
    threats?.check(url)
    await mayVisit(url, { team, signal, tell, route, isFresh: plan.request.record })
  }
}
