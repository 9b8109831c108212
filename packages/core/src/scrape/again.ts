import { payFor } from '../credits/hold.ts'
import type { ScrapeContext } from './context.ts'
import type { Deadline } from './deadline.ts'
import { documentAgain } from './remembered.ts'
import type { Scraped, ScrapeWants } from './scraped.ts'
import { replayOf, settle } from './settle.ts'
import { tell, timed } from './tell.ts'

/**
 * Gives the document of a page again while the very same page is kept: its price and its result are all that is left to do.
 * Gives nothing, and has done nothing, where a rule is to be asked, the page is another, or the document is not all there is.
 */
export async function giveAgain(
  context: ScrapeContext,
  { encoded = false, fit }: ScrapeWants,
  { race }: Deadline,
): Promise<Scraped | undefined> {
  const { plan, caller, kit, hold, time, remembered, steps } = context
  const { made, pageKey } = remembered
  const { read } = plan.cache
  if (!made?.isAll || pageKey === undefined || !read || steps || fit) return undefined
  if (kit.mayVisit || kit.policies.areAny || kit.plugins.open()) return undefined
  const began = kit.clock.now()
  const visit = await race(kit.cache.find(pageKey, read))
  if (visit?.version !== made.version) return undefined
  const { creditsUsed } = made.draft.metadata
  const most = Math.max(creditsUsed, remembered.most ?? 0)
  const price = (): number => creditsUsed
  return payFor({ hold, most, price, race, begun: caller.begun }, async () => {
    time.check()
    tell({ kind: 'scrape.step', step: 'load', ms: kit.clock.now() - began }, context)
    tell({ kind: 'scrape.step', step: 'derive', ms: 0 }, context)
    const document = documentAgain(made, caller.id, encoded)
    tell({ kind: 'scrape.step', step: 'assemble', ms: 0 }, context)
    const outcome = { document, replay: replayOf(plan, kit), isAgain: true }
    await timed('settle', context, () => settle({ mayKeep: plan.mayKeep, outcome }, caller, kit))
    return { document, visit, values: made.content.values }
  })
}
