import { EngineError } from '@harvestman/ports'
import type { AskRobots, Robots } from './robots-file.ts'
import { sayUnread } from './robots.ts'

const asked = 'The robots.txt of the host asks robots not to visit this page, and this engine does as it is asked.'

/** Gives the question that is asked before every page, where an engine follows robots.txt for all of them. */
export function robotsGate(robots: Robots) {
  return async (url: URL, ask: Pick<AskRobots, 'signal' | 'tell' | 'isFresh'>): Promise<void> => {
    // Addresses that loaders of plugins take have no host to ask.
    if (!/^https?:$/.test(url.protocol)) return
    const rules = await robots.rulesOf(url.origin, ask)
    if (!rules.allows(url.href)) throw new EngineError('robots_denied', rules.unread ? sayUnread(rules.unread) : asked)
  }
}
