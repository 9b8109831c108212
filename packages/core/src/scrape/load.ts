import { EngineError } from '@harvestman/ports'
import { share } from '@harvestman/ports/values'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import type { Loader, Page } from '../plugin/parts.ts'
import type { ScrapeContext } from './context.ts'
import { hasChoice, scriptsFirst, scriptsOnly, withFirst, type Plan } from './plan.ts'
import { revisit } from './revisit.ts'
import { loadThroughTiers } from './tiers.ts'
import type { Visit } from './visit.ts'

/**
 * Returns the page from the cache, from an identical running request, or from the loaders of the plan. If only a cached copy is
 * allowed and there is none, rejects with `not_cached`, or with `lockdown_miss` for the option `lockdown`.
 */
export async function load(context: ScrapeContext): Promise<Visit> {
  const { plan, kit } = context
  const { read, write, only } = plan.cache
  if (only && !read) throw notCached(plan)
  const key = read || write ? kit.cache.keyOf(plan, context.caller.team) : undefined
  if (key !== undefined && plan.revisit) return revisit(key, context, loadFresh)
  if (!read || key === undefined) return loadFresh(key, context)
  const kept = await kit.cache.find(key, read)
  const since = kept && `It was loaded at ${new Date(kept.at).toISOString()}.`
  context.steps?.note({ step: 'cache', outcome: kept ? 'hit' : 'miss', ...(since && { reason: since }) })
  if (kept) return kept
  if (only) throw notCached(plan)
  if (!write) return { ...(await loadFresh(key, context)), cacheState: 'miss' }
  return loadShared(key, context)
}

/**
 * Lets identical requests that may share a page join one visit. A joined failure is shared as well, unless it concerns only the
 * first caller (an abort or a timeout).
 */
async function loadShared(key: string, context: ScrapeContext): Promise<Visit> {
  const { underWay } = context.kit.cache
  const { signal } = context.time
  const first = underWay.get(key)
  if (first) {
    first.isShared = true
    context.steps?.note({ step: 'cache', outcome: 'joined', reason: 'An equal request is loading this page.' })
    try {
      const visit = await untilAborted(first.visit, signal)
      share(visit.body)
      return { ...visit, cacheState: 'hit' }
    } catch (error) {
      if (signal.aborted || !isAboutTheCaller(error)) throw error
      return loadShared(key, context)
    }
  }
  const own = { visit: loadFresh(key, context), isShared: false }
  underWay.set(key, own)
  try {
    const visit = await own.visit
    if (own.isShared) share(visit.body)
    return { ...visit, cacheState: 'miss' }
  } finally {
    underWay.delete(key)
  }
}

function isAboutTheCaller(error: unknown): boolean {
  return EngineError.is(error) && (error.code === 'aborted' || error.code === 'timeout')
}

async function loadFresh(key: string | undefined, context: ScrapeContext): Promise<Visit> {
  const { plan, kit } = context
  const loaders = await loadersInOrder(context)
  let isRaised = loaders !== plan.loaders
  const withLoaders = async (own: ScrapeContext): Promise<Page> => {
    const passage = await loadThroughTiers(own.profile?.needsScripts ? scriptsOnly(loaders) : loaders, own)
    isRaised ||= passage.isRaised
    return passage.page
  }
  const loaded = plan.request.profile
    ? await (await import('./profile.ts')).loadWithProfile(plan.request.profile, context, withLoaders)
    : { page: await withLoaders(context), profile: undefined }
  const { body, ...page } = loaded.page
  const at = kit.clock.now()
  const { profile } = loaded
  const visit: Visit = { page, body, at, cacheState: undefined, version: key && `${key}@${at}`, profile, isRaised }
  // Failing to cache the page must not fail the scrape.
  if (plan.cache.write && !page.block)
    await kit.cache.keep(visit, context.caller.team).catch((error: unknown) => tellLoss(error, context))
  return visit
}

/** Returns the loaders of the plan, with the one first that the host is known to need. */
async function loadersInOrder({ plan, caller, kit, steps }: ScrapeContext): Promise<readonly Loader[]> {
  if (plan.loaders.length < 2) return plan.loaders
  // A recorded scrape must not depend on the host memory, because the engine that replays it does not have it.
  if (plan.request.record) return plan.loaders
  // If the memory cannot be read, the default order is used.
  const known = await kit.hosts.find(plan.url.host, caller.team).catch(() => undefined)
  // A tier that costs more is tried only after a block of this page.
  if (!known || (known.step ? known.step.tier !== plan.tiers[0] : !hasChoice(plan))) return plan.loaders
  const until = new Date(known.until).toISOString()
  const { step } = known
  const loaders = step ? withFirst(plan.loaders, step.loader) : scriptsFirst(plan.loaders)
  // The remembered loader may not support this URL, or may no longer be installed.
  if (loaders === plan.loaders) return loaders
  const why = step ? `The ${step.loader} gets past it.` : ''
  const reason = step
    ? `${known.host}: ${known.reason ?? ''} ${why} Remembered until ${until}.`
    : `Pages of ${known.host} need scripts; remembered until ${until}.`
  steps?.note({ step: 'hosts', outcome: `${step?.loader ?? 'browser'} first`, reason })
  return loaders
}

function tellLoss(error: unknown, { caller: { team, id }, kit }: ScrapeContext): void {
  const message = `The page could not be put into the cache: ${errorMessage(error)}`
  kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
}

function notCached({ isLockdown }: Plan): EngineError {
  if (isLockdown)
    return new EngineError(
      'lockdown_miss',
      'There is no cached copy of this page, and lockdown loads none. Scrape the page without lockdown first.',
    )
  const message = 'The cache has no copy of this page of the requested age. Remove minAge to load the page.'
  return new EngineError('not_cached', message)
}
