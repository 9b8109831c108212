import type { RunContext } from '../jobs/run/strategy.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import { isRecorded } from '../schema/record.ts'
import { pathStart, type Robots, type RobotsRules, type Unread } from '@harvestman/site'

/** Rules that the hosts of a crawl have for robots. */
export interface HostRules {
  /** Reads them, when that was not done yet. */
  know(url: string): Promise<void>
  /** True when the rules for an address in its normal form were read. */
  isKnown(url: string): boolean
  /** An address of a host whose rules are not known is allowed for now. */
  allows(url: URL): boolean
  /** Returns why the rules of a host could not be read, when that is so. */
  unreadOf(url: URL): Unread | undefined
}

export function hostRules(request: CrawlRequest, robots: Robots, context: RunContext): HostRules {
  if (request.ignoreRobotsTxt)
    return { know: async () => undefined, isKnown: () => true, allows: () => true, unreadOf: () => undefined }
  const rules = new Map<string, RobotsRules>()
  const { signal } = context
  return {
    know: async (url) => {
      const { origin, host } = new URL(url)
      if (rules.has(origin)) return
      const tell = (message: string): void => context.warn(message)
      const read = await robots.rulesOf(origin, {
        userAgent: request.robotsUserAgent,
        isFresh: isRecorded(request),
        signal,
        tell,
      })
      rules.set(origin, read)
      if (read.crawlDelay) context.slowDown(host, read.crawlDelay)
    },
    // Asked for every address that is found: reading it once more would cost more than all else here.
    isKnown: (url) => rules.has(url.slice(0, pathStart(url))),
    allows: (url) => rules.get(url.origin)?.allows(url.href) ?? true,
    unreadOf: ({ origin }) => rules.get(origin)?.unread,
  }
}
