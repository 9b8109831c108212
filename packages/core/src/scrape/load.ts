import { EngineError } from '../errors/error.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'
import { withScriptsFirst, type Plan } from './plan.ts'
import { loadThroughTiers } from './tiers.ts'
import type { Visit } from './visit.ts'

/** Gets the page from the cache, from an equal request that is under way, or from the loaders of the plan. */
export async function load(plan: Plan, caller: Caller, signal: AbortSignal, kit: Kit): Promise<Visit> {
  const { cache } = kit
  const key = plan.cache.read || plan.cache.write ? cache.keyOf(plan, caller.team) : undefined
  if (!plan.cache.read || !key) return fresh(plan, caller, signal, kit, key)
  const kept = await cache.find(key, plan.cache.read)
  const since = kept && `It was loaded at ${new Date(kept.at).toISOString()}.`
  caller.trail?.note({ step: 'cache', outcome: kept ? 'hit' : 'miss', ...(since && { reason: since }) })
  if (kept) return kept
  if (plan.cache.only) {
    throw new EngineError(
      'not_cached',
      'There is no kept copy of this page of the age asked for. Leave minAge out to load it.',
    )
  }
  if (!plan.cache.write) return { ...(await fresh(plan, caller, signal, kit, key)), cacheState: 'miss' }
  return shared(key, plan, caller, signal, kit)
}

/**
 * Equal requests that may share a page make one visit. Who comes second waits for the first, and shares its failure too,
 * unless that is about the first caller and not about the page.
 */
async function shared(key: string, plan: Plan, caller: Caller, signal: AbortSignal, kit: Kit): Promise<Visit> {
  const { underWay } = kit.cache
  const first = underWay.get(key)
  if (first) {
    first.isShared = true
    caller.trail?.note({ step: 'cache', outcome: 'joined', reason: 'An equal request is loading this page.' })
    try {
      return { ...(await untilAborted(first.visit, signal)), cacheState: 'hit', isSole: false }
    } catch (error) {
      if (signal.aborted || !isAboutTheCaller(error)) throw error
      return shared(key, plan, caller, signal, kit)
    }
  }
  const own = { visit: fresh(plan, caller, signal, kit, key), isShared: false }
  underWay.set(key, own)
  try {
    const visit = await own.visit
    return { ...visit, cacheState: 'miss', isSole: visit.isSole && !own.isShared }
  } finally {
    underWay.delete(key)
  }
}

function isAboutTheCaller(error: unknown): boolean {
  return EngineError.is(error) && (error.code === 'aborted' || error.code === 'timeout')
}

async function fresh(
  plan: Plan,
  caller: Caller,
  signal: AbortSignal,
  kit: Kit,
  key: string | undefined,
): Promise<Visit> {
  const page = await loadThroughTiers(await remembering(plan, caller, kit), caller, signal, kit)
  const at = kit.clock.now()
  const isSole = page.ownsBody === true
  const visit: Visit = { page, at, cacheState: undefined, isSole, version: key && `${key}@${at}` }
  // A page that could not be kept is still a good page.
  if (plan.cache.write) await kit.cache.keep(visit).catch((error: unknown) => tellLoss(error, caller, kit))
  return visit
}

/** Hosts whose pages were drawn by their scripts are asked by browser at once. */
async function remembering(plan: Plan, { team, trail }: Caller, kit: Kit): Promise<Plan> {
  const reordered = withScriptsFirst(plan)
  if (!reordered) return plan
  // Whoever cannot remember goes the usual way.
  const known = await kit.hosts.find(plan.url.host, team).catch(() => undefined)
  if (!known) return plan
  const until = new Date(known.until).toISOString()
  trail?.note({
    step: 'hosts',
    outcome: 'browser first',
    reason: `Scripts drew pages of ${known.host}; kept until ${until}.`,
  })
  return reordered
}

function tellLoss(error: unknown, { team, id }: Caller, kit: Kit): void {
  const message = `The page could not be put into the cache: ${error instanceof Error ? error.message : 'unknown fault'}`
  kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
}
