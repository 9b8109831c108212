import type { Message } from './heard.ts'
import type { Outcome } from './outcome.ts'

/** Ends commands to a page that has crashed. The browser never responds to them, so clients would wait forever. */
export interface Crashes {
  hear(event: Message): void
  /**
   * Returns whether to hide an event from the client. The crash of an unresponsive page that is being reopened is hidden, so
   * that it looks like a navigation.
   */
  isHidden(event: Message): boolean
  /** Resolves to the outcome of a command, at the latest when its page crashes. */
  during(sessionId: string, method: string, work: () => Promise<Outcome>): Promise<Outcome>
}

// These commands restart the page, so the browser responds to them.
const restarts: ReadonlySet<string> = new Set([
  'Page.navigate',
  'Page.reload',
  'Page.navigateToHistoryEntry',
  'Page.getNavigationHistory',
  'Page.close',
])

const ended: Outcome = {
  refusal: 'The page was ended: it crashed, or exceeded its memory or time limit. Reload it, or open a URL.',
}
const unresponsive: Outcome = {
  refusal: 'The page did not respond and was ended. Its URL is opened again: repeat the command, or open another URL.',
}

/**
 * Creates the handling of crashes. `isReviving` returns whether the page of a target was unresponsive and is being reopened.
 */
export function makeCrashes(isReviving: (targetId: string) => boolean): Crashes {
  const crashed = new Set<string>()
  /** Sessions whose crash was hidden, until their page is open again. */
  const hidden = new Set<string>()
  const targets = new Map<string, string>()
  const waiting = new Map<string, Set<(outcome: Outcome) => void>>()

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
  const end = (sessionId: string, outcome: Outcome): void => {
    for (const one of waiting.get(sessionId) ?? []) one(outcome)
  }
  const isRevived = (sessionId: string | undefined): boolean => isReviving(targets.get(sessionId ?? '') ?? '')
  return {
    hear: ({ method, params, sessionId }) => {
      if (method === 'Target.attachedToTarget') {
        const info = params?.['targetInfo'] as { readonly targetId: string } | undefined
        targets.set(String(params?.['sessionId']), info?.targetId ?? '')
      }
      if (method === 'Target.detachedFromTarget') {
        for (const all of [targets, hidden, crashed]) all.delete(String(params?.['sessionId']))
      }
      if (sessionId === undefined) return
      if (method === 'Inspector.targetReloadedAfterCrash') {
        crashed.delete(sessionId)
        hidden.delete(sessionId)
      }
      if (method !== 'Inspector.targetCrashed') return
      if (isRevived(sessionId)) {
        hidden.add(sessionId)
        return end(sessionId, unresponsive)
      }
      crashed.add(sessionId)
      end(sessionId, ended)
    },
    isHidden: ({ method, params, sessionId }) => {
      if (method === 'Target.targetCrashed') return isReviving(String(params?.['targetId']))
      if (method === 'Inspector.targetCrashed') return isRevived(sessionId)
      return method === 'Inspector.targetReloadedAfterCrash' && hidden.has(sessionId ?? '')
    },
    during: (sessionId, method, work) => {
      if (restarts.has(method)) return work()
      return crashed.has(sessionId) ? Promise.resolve(ended) : during(sessionId, work)
    },
  }
}
