import { validatorsOf, type KeptCopy, type RevisitChoice, type Revisited } from '../plugin/revisit.ts'
import type { ScrapeContext } from './context.ts'
import type { Visit } from './visit.ts'

const ofAnyAge = { from: 0, to: Infinity }

/**
 * Visits a known page again. A format of the plan decides whether its cached copy is reused, revalidated or replaced. Without a
 * copy, the page is loaded. Rejects as `loadFresh` does.
 */
export async function revisit(
  key: string,
  context: ScrapeContext,
  loadFresh: (key: string, context: ScrapeContext) => Promise<Visit>,
): Promise<Visit> {
  const { cache, clock } = context.kit
  const cached = await cache.find(key, ofAnyAge)
  if (!cached) return loadFresh(key, context)
  const { page, at } = cached
  const copy: KeptCopy = { url: page.url, at, headers: page.headers, listed: context.caller.listed }
  const choice = await choose(copy, cached, context)
  const asNew: Revisited = { ...choice, copy, isCopy: false }
  const asCopy: Revisited = { ...choice, copy, isCopy: true }
  if (choice.way === 'keep') return { ...cached, revisited: asCopy }
  if (choice.way === 'load') return { ...(await loadFresh(key, context)), revisited: asNew }
  const visit = await loadFresh(key, { ...context, validators: validatorsOf(copy) })
  if (visit.page.status !== 304) return { ...visit, revisited: asNew }
  // After a redirect, the host has confirmed a different page.
  if (visit.page.url !== page.url) return { ...(await loadFresh(key, context)), revisited: { ...asNew, way: 'load' } }
  const now = clock.now()
  const again = { ...cached, at: now, cacheState: undefined, version: `${key}@${now}` }
  // Failing to update the copy costs one load later and must not fail the scrape.
  await cache.keep(again, context.caller.team).catch(() => undefined)
  return { ...again, page: { ...page, latency: visit.page.latency }, revisited: asCopy }
}

const outcomes: Readonly<Record<RevisitChoice['way'], string>> = {
  load: 'load again',
  ask: 'ask the host',
  keep: 'hit',
}

/**
 * Chooses how to revisit a page. Pages rendered by scripts are always loaded, because revalidation covers only their HTML.
 */
async function choose(copy: KeptCopy, { page }: Visit, context: ScrapeContext): Promise<RevisitChoice> {
  const { plan, caller, kit, steps } = context
  if (!plan.revisit || page.ranScripts || page.status !== 200) return { way: 'load' }
  const { format, options } = plan.revisit
  const store = kit.pluginStores.of(kit.registry.ownerOf(format), caller.team, plan.mayKeep)
  const revisit = { url: plan.request.url, job: caller.group, store, clock: kit.clock }
  const { way = 'load', reason } = (await format.revisit?.(copy, revisit, options)) ?? {}
  const sure = way === 'ask' && validatorsOf(copy) === undefined ? 'load' : way
  const loaded = `A copy was loaded at ${new Date(copy.at).toISOString()}.`
  steps?.note({ step: 'cache', outcome: outcomes[sure], reason: reason ? `${loaded} ${reason}` : loaded })
  return { way: sure, reason }
}
