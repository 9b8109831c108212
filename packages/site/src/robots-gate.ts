import { EngineError } from '@harvestman/ports'
import type { AskRobots, Robots } from './robots-file.ts'
import { describeUnread } from './robots.ts'

const deniedMessage =
  'The robots.txt of the host disallows this page, and this engine follows robots.txt for every page.'

/**
 * Returns the check that runs before every page if an engine always follows robots.txt. It rejects with `robots_denied`, also
 * if the file could not be read; URLs that are not HTTP pass.
 */
export function robotsGate(robots: Robots) {
  return async (url: URL, ask: Pick<AskRobots, 'signal' | 'tell' | 'isFresh' | 'route'>): Promise<void> => {
    // URLs with other schemes, which plugins load, have no robots.txt.
    if (!/^https?:$/.test(url.protocol)) return
    const rules = await robots.rulesOf(url.origin, ask)
    if (!rules.allows(url.href))
      throw new EngineError('robots_denied', rules.unread ? describeUnread(rules.unread) : deniedMessage)
  }
}
