import type { ScrapeContext } from './context.ts'

/** Rejects where a page may not be visited; nothing where all may. What is not well with the rules is told in the scrape's name. */
export function gateOf({
  plan,
  kit,
  caller: { team, id },
  time,
}: ScrapeContext): ((url: URL) => Promise<void>) | undefined {
  const { mayVisit } = kit
  if (!mayVisit) return undefined
  const { signal } = time
  const tell = (message: string): void => kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
  return (url) => mayVisit(url, { team, signal, tell, isFresh: plan.request.record })
}
