import type { RunContext } from '../jobs/run/strategy.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import { siteRoute } from '../scrape/site-route.ts'
import { isRecorded } from '../schema/record.ts'
import { pathStart, type Robots, type RobotsRules, type Unread } from '@harvestman/site'

/** The robots.txt rules of the hosts of a crawl. */
export interface HostRules {
  /** Loads the rules of the URL's host, unless they are known. */
  know(url: string): Promise<void>
  /** Returns whether the rules for a normalized URL are known. */
  isKnown(url: string): boolean
  /** Returns whether a URL may be visited. True if the rules of its host are not known yet. */
  allows(url: URL): boolean
  /** Returns why the rules of a host could not be read, if so. */
  unreadOf(url: URL): Unread | undefined
}

/**
 * Creates the robots.txt rules of a crawl. If the request ignores robots.txt, every URL is allowed; so is every URL of a host
 * whose rules have not been loaded with `know`. `know` rejects if the crawl is aborted or the store fails.
 */
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
        route: siteRoute(request.scrapeOptions, context.id),
        signal,
        tell,
      })
      rules.set(origin, read)
      if (read.crawlDelay) context.slowDown(host, read.crawlDelay)
    },
    // Called for every URL found, so it avoids parsing the URL again.
    isKnown: (url) => rules.has(url.slice(0, pathStart(url))),
    allows: (url) => rules.get(url.origin)?.allows(url.href) ?? true,
    unreadOf: ({ origin }) => rules.get(origin)?.unread,
  }
}
