import { EngineError } from '../errors/error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import type { Loader, Page } from '../plugin/parts.ts'
import type { LoaderOutcome } from '../ports/observer.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'
import type { Visit } from './visit.ts'

/** Gets the page from the cache, from an equal request that is under way, or from the loaders of the plan. */
export async function load(plan: Plan, caller: Caller, signal: AbortSignal, kit: Kit): Promise<Visit> {
  const { cache } = kit
  const key = plan.cache.read || plan.cache.write ? cache.keyOf(plan, caller.team) : undefined
  if (!plan.cache.read || !key) return fresh(plan, caller, signal, kit, key)
  const kept = await cache.find(key, plan.cache.read)
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
    try {
      return { ...(await untilAborted(first, signal)), cacheState: 'hit' }
    } catch (error) {
      if (signal.aborted || !isAboutTheCaller(error)) throw error
      return shared(key, plan, caller, signal, kit)
    }
  }
  const visit = fresh(plan, caller, signal, kit, key)
  underWay.set(key, visit)
  try {
    return { ...(await visit), cacheState: 'miss' }
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
  const page = await climb(plan, caller, signal, kit)
  const at = kit.clock.now()
  const visit: Visit = { page, at, cacheState: undefined, version: key && `${key}@${at}` }
  // A page that could not be kept is still a good page.
  if (plan.cache.write) await kit.cache.keep(visit).catch((error: unknown) => tellLoss(error, caller, kit))
  return visit
}

function tellLoss(error: unknown, { team, id }: Caller, kit: Kit): void {
  const message = `The page could not be put into the cache: ${error instanceof Error ? error.message : 'unknown fault'}`
  kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
}

// What these say is true of the address or the caller, whichever loader asks.
const final: ReadonlySet<ErrorCode> = new Set([
  'url_blocked',
  'dns_failed',
  'timeout',
  'aborted',
  'action_failed',
  'response_too_large',
  'invalid_request',
])

interface Attempt {
  readonly loader: string
  readonly outcome: LoaderOutcome
  readonly reason: string
  readonly error?: EngineError
}

/** Tries the loaders of the plan in order. */
async function climb(plan: Plan, caller: Caller, signal: AbortSignal, kit: Kit): Promise<Page> {
  const attempts: Attempt[] = []
  for (const loader of plan.loaders) {
    const result = await attempt(loader, plan, signal, kit)
    const isPage = 'page' in result
    kit.observer({
      kind: 'loader.tried',
      url: plan.request.url,
      loader: loader.name,
      outcome: isPage ? 'page' : result.outcome,
      ...(isPage ? {} : { reason: result.reason }),
      team: caller.team,
      id: caller.id,
      at: kit.clock.now(),
    })
    if (isPage) return result.page
    if (result.error && final.has(result.error.code)) throw result.error
    attempts.push(result)
  }
  throw noLoaderWorked(attempts)
}

async function attempt(
  loader: Loader,
  plan: Plan,
  signal: AbortSignal,
  kit: Kit,
): Promise<{ readonly page: Page } | Attempt> {
  const { url, request, captures, actions } = plan
  try {
    const result = await loader.load({ url, request, captures, actions, signal, maxBytes: kit.limits.bodyBytes }, kit)
    if ('pass' in result) return { loader: loader.name, outcome: 'passed', reason: result.pass }
    return { page: result }
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error
    if (!EngineError.is(reason)) {
      throw new EngineError('internal', `The loader ${loader.name} has a fault.`, { cause: error })
    }
    return { loader: loader.name, outcome: 'failed', reason: reason.message, error: reason }
  }
}

function noLoaderWorked(attempts: readonly Attempt[]): EngineError {
  const [first] = attempts
  if (attempts.length === 1 && first?.error) return first.error
  const story = attempts.map(({ loader, reason }) => `${loader}: ${reason}`).join(' ')
  return new EngineError('loaders_failed', `No loader could load the page. ${story}`, {
    details: { attempts: attempts.map(({ loader, outcome, reason }) => ({ loader, outcome, reason })) },
  })
}
