import { validatorsOf, type KeptCopy, type RevisitWay } from '../plugin/revisit.ts'
import type { ScrapeContext } from './context.ts'
import type { Visit } from './visit.ts'

const ofAnyAge = { from: 0, to: Infinity }

/** Visits a page again: a format of the plan decides whether its kept copy is taken, asked about, or replaced. */
export async function revisit(
  key: string,
  context: ScrapeContext,
  loadFresh: (key: string, context: ScrapeContext) => Promise<Visit>,
): Promise<Visit> {
  const { cache, clock } = context.kit
  const kept = await cache.find(key, ofAnyAge)
  if (!kept) return loadFresh(key, context)
  const { page, at } = kept
  const copy: KeptCopy = { url: page.url, at, headers: page.headers, listedAt: context.caller.listedAt }
  const way = await wayOf(copy, kept, context)
  if (way === 'keep') return { ...kept, revisited: { copy, way, isCopy: true } }
  if (way === 'load') return { ...(await loadFresh(key, context)), revisited: { copy, way, isCopy: false } }
  const visit = await loadFresh(key, { ...context, validators: validatorsOf(copy) })
  if (visit.page.status !== 304) return { ...visit, revisited: { copy, way, isCopy: false } }
  // What has not changed is another page, behind a redirect.
  if (visit.page.url !== page.url) return revisitAs('load', copy, await loadFresh(key, context))
  const now = clock.now()
  const again = { ...kept, at: now, cacheState: undefined, version: `${key}@${now}` }
  // A copy that is forgotten costs a load.
  await cache.keep(again, context.caller.team).catch(() => undefined)
  return { ...again, page: { ...page, latency: visit.page.latency }, revisited: { copy, way, isCopy: true } }
}

function revisitAs(way: RevisitWay, copy: KeptCopy, visit: Visit): Visit {
  return { ...visit, revisited: { copy, way, isCopy: false } }
}

const outcomes: Readonly<Record<RevisitWay, string>> = { load: 'load again', ask: 'ask the host', keep: 'hit' }

/** What scripts have drawn, its host says nothing about. */
async function wayOf(copy: KeptCopy, { page }: Visit, context: ScrapeContext): Promise<RevisitWay> {
  const { plan, caller, kit, steps } = context
  const { revisit: format } = plan
  if (!format?.revisit || page.ranScripts || page.status !== 200) return 'load'
  const store = kit.pluginStores.of(kit.registry.ownerOf(format), caller.team, plan.mayKeep)
  const asked = { url: plan.request.url, job: caller.group, store, clock: kit.clock }
  const way = await format.revisit(copy, asked)
  const sure = way === 'ask' && validatorsOf(copy) === undefined ? 'load' : way
  steps?.note({
    step: 'cache',
    outcome: outcomes[sure],
    reason: `A copy was loaded at ${new Date(copy.at).toISOString()}.`,
  })
  return sure
}
