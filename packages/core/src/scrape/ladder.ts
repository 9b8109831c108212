import { hash } from 'node:crypto'
import { EngineError, type ErrorCode, type LoaderOutcome, type PickedProxy, type Proxy } from '@harvestman/ports'
import type { PlannedAction } from '../plugin/action.ts'
import type { Block, Loader, LoadJob, Page, Pass } from '../plugin/parts.ts'
import { formatValue } from '../lib/format-value.ts'
import { detectBlock } from './block-signals.ts'
import type { ScrapeContext } from './context.ts'
import { failedPartDetails, failedPartMessage } from './failed-part.ts'
import { readerFor } from './derive.ts'
import { documentLimit } from './kit.ts'
import type { Tier } from './plan.ts'
import { makeVisitCheck } from './visit-check.ts'

// Errors that concern the URL or the caller, so that trying another loader cannot help.
const final: ReadonlySet<ErrorCode> = new Set([
  'url_blocked',
  'robots_denied',
  'policy_denied',
  'unsafe_domain_blocked',
  'not_configured',
  'dns_failed',
  'timeout',
  'aborted',
  'action_failed',
  'branding_not_supported',
  'response_too_large',
  'page_too_complex',
  'invalid_request',
])

// The same for a loader that is used only after blocks. Its other errors must not prevent the ones after it.
const finalAfterBlock: ReadonlySet<ErrorCode> = new Set([
  'url_blocked',
  'robots_denied',
  'policy_denied',
  'unsafe_domain_blocked',
  'aborted',
])

/** Maximum time of a loader that is used only after blocks, in milliseconds, so that the ones after it have time too. */
const maxTimeAfterBlock = 8_000

/** Returns whether no other loader can avoid the error. They use the same proxy, so an error of the proxy is final. */
function isFinal({ onlyAfter }: Loader, { code, details }: EngineError): boolean {
  return (onlyAfter ? finalAfterBlock : final).has(code) || details['proxy'] === true
}

interface Attempt {
  readonly loader: string
  readonly outcome: LoaderOutcome
  readonly reason: string
  readonly ms: number
  readonly error?: EngineError
  /** Whether the loader is used only after a block. */
  readonly isExtra: boolean
}

/** A page and the name of its loader. */
export interface PageByLoader extends Page {
  readonly loader: string
  /** The block of the loader before it, if the page was loaded because of that block. */
  readonly gotPast?: Block | undefined
}

/** One step: the loaders, of which the later ones are used if the first fails, and the proxy. */
export interface LadderStep {
  readonly tier: Tier
  readonly proxy: PickedProxy | undefined
  readonly loaders: readonly Loader[]
}

/** Result of a step: a page or an error, and why the host blocked it. */
export type StepResult = { readonly block: Block | undefined; readonly proxy: PickedProxy | undefined } & (
  | { readonly page: PageByLoader }
  | { readonly error: EngineError }
)

/**
 * Tries the loaders in order, through the proxy if there is one, until one returns the page. Rejects with `loaders_failed` with
 * the attempts if none does, or the error of the only one. An error that another loader cannot avoid, such as `url_blocked`,
 * and a bug in a loader (`internal`) reject at once. A loader that is used only after blocks has a shorter time, and rejects at
 * once only if the URL may not be loaded.
 */
export async function tryLoaders(
  loaders: readonly Loader[],
  proxy: Proxy | undefined,
  context: ScrapeContext,
): Promise<PageByLoader> {
  const { kit, time } = context
  const { clock } = kit
  const attempts: Attempt[] = []
  for (const [index, loader] of loaders.entries()) {
    const broken = brokenOff(attempts.findLast(({ isExtra }) => !isExtra)?.error)
    if (index > 0 && loader.onlyAfter && !(broken && loader.onlyAfter.includes(broken.signal))) continue
    const began = clock.now()
    const result = await tryLoader(loader, proxy, context)
    const ms = clock.now() - began
    if ('page' in result) {
      tell({ loader: loader.name, outcome: 'page', ms }, context, result.page)
      return { ...result.page, loader: loader.name, ...(loader.onlyAfter && { gotPast: broken }) }
    }
    tell({ loader: loader.name, outcome: result.outcome, reason: result.reason, ms }, context)
    time.check()
    if (result.error && isFinal(loader, result.error)) throw result.error
    attempts.push({ ...result, ms, isExtra: index > 0 && loader.onlyAfter !== undefined })
  }
  throw noLoaderWorked(attempts, context)
}

/** Some bot protection does not respond at all but closes the connection. */
export function brokenOff(error: EngineError | undefined): Block | undefined {
  const isBroken = error && ['connection_failed', 'bad_response', 'loaders_failed'].includes(error.code)
  return isBroken ? { signal: 'broken', reason: error.message } : undefined
}

interface Tried {
  readonly loader: string
  readonly outcome: LoaderOutcome
  readonly reason?: string
  readonly ms: number
}

function tell(tried: Tried, { plan, caller: { team, id }, kit, steps }: ScrapeContext, page?: Page): void {
  kit.observer({ kind: 'loader.tried', url: plan.request.url, ...tried, team, id, at: kit.clock.now() })
  const readiness = page?.readiness !== undefined && { reason: page.readiness }
  const digest = (body: Uint8Array): string => `sha256:${hash('sha256', body, 'hex')}`
  const brought = steps && page && { ...readiness, status: page.status, digest: digest(page.body) }
  steps?.note({ step: 'loader', ...tried, ...brought })
}

type LoaderResult = { readonly page: Page } | Omit<Attempt, 'ms' | 'isExtra'>

async function tryLoader(loader: Loader, proxy: Proxy | undefined, context: ScrapeContext): Promise<LoaderResult> {
  if (!loader.onlyAfter) return runLoader(loader, context, (job) => loader.load(job, context.kit), proxy)
  const { kit, time } = context
  const limit = Math.round(Math.min(maxTimeAfterBlock, time.timeLeft() / 2))
  const late = () => new EngineError('timeout', `The loader did not return the page within ${limit} ms.`)
  const deadline = kit.deadlines.start(limit, time.signal, late)
  // The race covers loaders that ignore the signal.
  const load = (job: LoadJob) => deadline.race(loader.load(job, kit))
  try {
    return await runLoader(loader, { ...context, time: deadline }, load, proxy)
  } finally {
    deadline.end()
  }
}

async function runLoader(
  loader: Loader,
  context: ScrapeContext,
  load: (job: LoadJob) => ReturnType<Loader['load']>,
  proxy: Proxy | undefined,
): Promise<LoaderResult> {
  const {
    plan,
    caller: { team, group },
    kit,
    time: { signal, timeLeft },
  } = context
  const { url, request, captures, browserNeeds } = plan
  const actions = allowedActions(context).map((action) => readingFor(action, context))
  const store = kit.pluginStores.of(kit.registry.ownerOf(loader), team, plan.mayKeep)
  const maxBytes = kit.limits.bodyBytes
  const most = documentLimit(kit)
  const headers = { ...kit.sends, ...request.headers }
  const mayVisit = makeVisitCheck(context)
  const { validators, profile } = context
  const kept = profile && { state: profile.state, passesState: true, savesState: profile.saves }
  const work = { url, request, headers, validators, captures, actions, browserNeeds, maxBytes, most, ...kept }
  const read = readerFor(context, signal, kit.registry.ownerOf(loader))
  const blockOf: LoadJob['blockOf'] = (response) => detectBlock(response, url, kit.clock.now())
  const job = { ...work, blockOf, proxy, team, store, group, signal, timeLeft, mayVisit, read }
  try {
    const result = await load(job)
    const problem = problemOf(result)
    if (problem !== undefined) throw new TypeError(problem)
    if ('pass' in result) return { loader: loader.name, outcome: 'passed', reason: result.pass }
    return { page: result }
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error
    if (!EngineError.is(reason)) return bugIn(loader, error, context)
    return { loader: loader.name, outcome: 'failed', reason: reason.message, error: reason }
  }
}

/** Throws `internal` for a bug in a loader. One that is used only after blocks has failed, and its bug is a warning. */
function bugIn(loader: Loader, cause: unknown, { caller: { team, id }, kit }: ScrapeContext): LoaderResult {
  const message = `The loader ${loader.name} failed. ${failedPartDetails(loader, cause, kit)}`
  const error = new EngineError('internal', message, { cause })
  if (!loader.onlyAfter) throw error
  kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
  return { loader: loader.name, outcome: 'failed', reason: failedPartMessage(loader, kit), error }
}

/** Returns the problem with the result of a loader, if any. */
function problemOf(result: Page | Pass): string | undefined {
  if (typeof result !== 'object' || result === null)
    return `load returned ${formatValue(result)}. Return a page { url, status, headers, body, … }, or pass(reason).`
  if ('pass' in result) return undefined
  const { url, status, headers } = result as { readonly [Name in keyof Page]?: unknown }
  if (typeof url !== 'string') return `the page has the url ${formatValue(url)}. Return its URL as a string.`
  if (typeof status !== 'number')
    return `the page has the status ${formatValue(status)}. Return its HTTP status as a number.`
  if (typeof headers !== 'object' || headers === null)
    return `the page has the headers ${formatValue(headers)}. Return an object.`
  if ((result.body as unknown) instanceof Uint8Array) return undefined
  const { body } = result as { readonly body: unknown }
  const remedy = typeof body === 'string' ? 'Return its bytes: new TextEncoder().encode(body).' : 'Return a Uint8Array.'
  return `the page has the body ${formatValue(body)}. ${remedy}`
}

/** Binds an action's readings to its plugin. */
function readingFor(action: PlannedAction, context: ScrapeContext): PlannedAction {
  const read = readerFor(context, context.time.signal, action.plugin ?? '')
  return { ...action, run: (tab, given) => action.run(tab, { ...given, read }) }
}

/** Makes each action check the policies before it runs. */
function allowedActions({ plan, caller: { team }, kit: { policies }, time }: ScrapeContext): readonly PlannedAction[] {
  if (!policies.areAny) return plan.actions
  return plan.actions.map((action, index) => ({
    ...action,
    run: async (tab, context) => {
      await policies.action(plan.request.actions[index] ?? { type: action.type }, await tab.url(), {
        team,
        signal: time.signal,
      })
      return action.run(tab, context)
    },
  }))
}

/** Creates an error that lists every loader and why it did not return the page. */
function noLoaderWorked(tried: readonly Attempt[], context: ScrapeContext): EngineError {
  const attempts = [
    ...tried.map(({ loader, outcome, reason, ms }) => ({ loader, outcome, reason, ms })),
    ...unfitLoaders(context),
  ]
  // A loader that is used only after blocks did not help: the error of the one before it is the result.
  const [first, ...others] = tried.filter(({ isExtra }) => !isExtra)
  if (first?.error && others.length === 0) {
    const { code, message, details } = first.error
    return new EngineError(code, message, { cause: first.error, details: { ...details, attempts } })
  }
  const story = tried.map(({ loader, reason }) => `${loader}: ${reason}`).join(' ')
  return new EngineError('loaders_failed', `No loader could load the page. ${story}`, { details: { attempts } })
}

function unfitLoaders({ plan, kit }: ScrapeContext) {
  const unfit = kit.registry.loaders.filter((loader) => !plan.loaders.includes(loader))
  return unfit.map(({ name, offers }) => {
    const unmet = plan.needs.flatMap(({ capability }) => (offers.includes(capability) ? [] : [capability]))
    const reason = unmet.length > 0 ? `It does not offer ${unmet.join(' and ')}.` : 'It does not support this URL.'
    return { loader: name, outcome: 'not tried', reason, unmet }
  })
}
