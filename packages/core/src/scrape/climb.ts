import { EngineError } from '../errors/error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import type { Loader, Page } from '../plugin/parts.ts'
import type { LoaderOutcome } from '../ports/observer.ts'
import type { Proxy } from '../ports/proxies.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'

// What these say is true of the address or the caller, whichever loader asks.
const final: ReadonlySet<ErrorCode> = new Set([
  'url_blocked',
  'not_configured',
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
  readonly ms: number
  readonly error?: EngineError
}

/** Tries the loaders of the plan in order, through the proxy if there is one. */
export async function climb(
  plan: Plan,
  proxy: Proxy | undefined,
  caller: Caller,
  signal: AbortSignal,
  kit: Kit,
): Promise<Page> {
  const attempts: Attempt[] = []
  for (const loader of plan.loaders) {
    const began = kit.clock.now()
    const result = await attempt(loader, plan, proxy, caller, signal, kit)
    const isPage = 'page' in result
    const outcome = isPage ? 'page' : result.outcome
    const reason = isPage ? undefined : result.reason
    tell({ loader: loader.name, outcome, reason, ms: kit.clock.now() - began }, plan, caller, kit)
    if (isPage) return result.page
    if (result.error && final.has(result.error.code)) throw result.error
    attempts.push({ ...result, ms: kit.clock.now() - began })
  }
  throw noLoaderWorked(attempts, plan, kit)
}

interface Tried {
  readonly loader: string
  readonly outcome: LoaderOutcome
  readonly reason: string | undefined
  readonly ms: number
}

function tell({ loader, outcome, reason, ms }: Tried, plan: Plan, caller: Caller, kit: Kit): void {
  const why = reason === undefined ? {} : { reason }
  const { team, id, trail } = caller
  kit.observer({
    kind: 'loader.tried',
    url: plan.request.url,
    loader,
    outcome,
    ...why,
    team,
    id,
    at: kit.clock.now(),
  })
  trail?.note({ step: 'loader', loader, outcome, ...why, ms })
}

async function attempt(
  loader: Loader,
  plan: Plan,
  proxy: Proxy | undefined,
  { session }: Caller,
  signal: AbortSignal,
  kit: Kit,
): Promise<{ readonly page: Page } | Omit<Attempt, 'ms'>> {
  const { url, request, captures, actions } = plan
  const job = { url, request, captures, actions, proxy, session, signal, maxBytes: kit.limits.bodyBytes }
  try {
    const result = await loader.load(job, kit)
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

/** Whoever reads this must see every way there was, and why each of them was none. */
function noLoaderWorked(tried: readonly Attempt[], plan: Plan, kit: Kit): EngineError {
  const attempts = [
    ...tried.map(({ loader, outcome, reason, ms }) => ({ loader, outcome, reason, ms })),
    ...unfitLoaders(plan, kit),
  ]
  const [first] = tried
  if (tried.length === 1 && first?.error) {
    const { code, message, details } = first.error
    return new EngineError(code, message, { cause: first.error, details: { ...details, attempts } })
  }
  const story = tried.map(({ loader, reason }) => `${loader}: ${reason}`).join(' ')
  return new EngineError('loaders_failed', `No loader could load the page. ${story}`, { details: { attempts } })
}

function unfitLoaders(plan: Plan, { registry }: Kit) {
  const unfit = registry.loaders.filter((loader) => !plan.loaders.includes(loader))
  return unfit.map(({ name, offers }) => {
    const unmet = plan.needs.flatMap(({ capability }) => (offers.includes(capability) ? [] : [capability]))
    const reason = unmet.length > 0 ? `It does not offer ${unmet.join(' and ')}.` : 'It does not fit this address.'
    return { loader: name, outcome: 'not tried', reason, unmet }
  })
}
