import { TransientMap } from '@harvestman/ports/adapters'

import type { Message } from './heard.ts'
import type { Outcome } from './outcome.ts'

/** What becomes of commands to a page that has ended: the browser answers none of them, and who waits would for ever. */
export interface Crashes {
  hear(event: Message): void
  /** What a command comes to, at the latest when its page ends. */
  during(sessionId: string, method: string, work: () => Promise<Outcome>): Promise<Outcome>
}

// These bring the page back, and are answered.
const restarts: ReadonlySet<string> = new Set([
  'Page.navigate',
  'Page.reload',
  'Page.navigateToHistoryEntry',
  'Page.getNavigationHistory',
  'Page.close',
])

const ended: Outcome = {
  refusal:
    'The page has ended: it crashed, or took more memory or time than a page may. Reload it, or go to an address.',
}

export function makeCrashes(): Crashes {
  const crashed = new Set<string>()
  const waiting = new TransientMap<string, Set<(outcome: Outcome) => void>>()

  const during = async (sessionId: string, work: () => Promise<Outcome>): Promise<Outcome> => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const all = waiting.get(sessionId) ?? new Set()
    waiting.set(sessionId, all.add(resolve))
    try {
      return await Promise.race([work(), promise])
    } finally {
      all.delete(resolve)
      if (all.size === 0) waiting.delete(sessionId)
    }
  }
  return {
    hear: ({ method, sessionId }) => {
      if (sessionId === undefined) return
      if (method === 'Inspector.targetReloadedAfterCrash') crashed.delete(sessionId)
      if (method !== 'Inspector.targetCrashed') return
      crashed.add(sessionId)
      for (const end of waiting.get(sessionId) ?? []) end(ended)
    },
    during: (sessionId, method, work) => {
      if (restarts.has(method)) return work()
      return crashed.has(sessionId) ? Promise.resolve(ended) : during(sessionId, work)
    },
  }
}
