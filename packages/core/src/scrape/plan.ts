import { pagePricing, type Pricing } from '../credits/pricing.ts'
import { EngineError, type ErrorCode } from '@harvestman/ports'
import { hasCredentials } from '@harvestman/toolbox/sealed'
import { pageWaitsPort, portOfCapability, proxiesPort } from '../plugin/core-ports.ts'
import type { Field, Format, Keeper } from '../plugin/field.ts'
import { missingPort } from '../plugin/missing-port.ts'
import type { BrowserNeeds, PlannedAction } from '../plugin/action.ts'
import type { Capability, Capture, Loader, Page } from '../plugin/parts.ts'
import type { Registry } from '../plugin/registry.ts'
import type { RequestedPart, ScrapeRequest } from '../schema/scrape.ts'
import { checkReadable } from './readable.ts'
import { checkRedaction } from './redaction.ts'
import { policyReadings } from './policies.ts'
import { planScreening, type PlannedScreening } from './plan-screening.ts'
import { findReadings, type Reading, type Wants } from './readings.ts'

/** Everything that is decided about a scrape before any network access. Can be printed. */
export interface Plan {
  readonly request: ScrapeRequest
  readonly url: URL
  readonly needs: readonly Need[]
  /** Loaders that offer all needed capabilities, cheapest first. */
  readonly loaders: readonly Loader[]
  /** Proxy tiers, in the order in which they are tried. */
  readonly tiers: readonly Tier[]
  readonly captures: readonly Capture[]
  readonly actions: readonly PlannedAction[]
  readonly browserNeeds: BrowserNeeds
  readonly formats: readonly PlannedFormat[]
  /** Keepers, which store something about the page whatever the request. */
  readonly keepers: readonly Keeper[]
  /** Values to read from the page. */
  readonly readings: readonly Reading[]
  readonly cache: CachePlan
  /** True if anything about this scrape may be stored. */
  readonly mayKeep: boolean
  /** True if the body of the response is returned. */
  readonly isRaw: boolean
  /** Options without an effect, which the caller is warned about. */
  readonly withoutEffect: readonly string[]
  /** True if nothing may be sent to any host: only a cached page is returned. */
  readonly isLockdown: boolean
  /** True if the Markdown is redacted. */
  readonly isRedacted: boolean
  /** The check for prompt injection, if requested. */
  readonly screening: PlannedScreening | undefined
  /** True if that check is charged when all of the page was checked. */
  readonly isScreened: boolean
  /** True if the document depends only on the page and this plan, so that it can be reused while the page is cached. */
  readonly fromPageAlone: boolean
  /** True if the blocks of files that have pages are needed, though the request may not ask for them. */
  readonly needsBlocks: boolean
  /** Format that decides whether a cached copy is revalidated, reused or reloaded. */
  readonly revisit: PlannedFormat | undefined
  readonly pricing: Pricing
}

/** Class of proxies; see the option `proxy`. */
export type Tier = 'basic' | 'enhanced'

export interface PlannedFormat {
  readonly format: Format
  readonly options: RequestedPart
}

/** Returns whether the document has only a part of the value of a format. */
export function isShortened({ format, options }: PlannedFormat): boolean {
  return format.shorten?.(options) !== undefined
}

/** Use of the page cache. */
export interface CachePlan {
  /** Allowed age of a cached page in milliseconds, from and to. Absent if none may be used. */
  readonly read: { readonly from: number; readonly to: number } | undefined
  /** True if only a cached page may be returned. */
  readonly only: boolean
  readonly write: boolean
}

/** A capability, and the part of the request that needs it. */
export interface Need {
  readonly capability: Capability
  readonly because: string
  /** Error code if no loader offers it. */
  readonly failure?: ErrorCode | undefined
}

/** Dependencies of `makePlan`. */
export interface PlanKit {
  readonly registry: Registry
  /** Services of the engine, by port name. */
  readonly ports: ReadonlyMap<string, unknown>
}

/**
 * Plans a request with the further options of its caller; nothing is loaded yet. Throws an `EngineError` if the engine lacks a
 * port, action or loader for it.
 */
export function makePlan(asked: ScrapeRequest, { registry, ports }: PlanKit, wants: Wants = {}): Plan {
  checkReadable(asked)
  checkRedaction(asked, registry)
  if (asked.person) checkPerson(asked, ports)
  const screening = planScreening(asked, registry, ports)
  const isRaw = asked.formats.some(({ type }) => registry.format(type)?.isRaw)
  const request = isRaw ? { ...asked, ...noneOfRaw } : asked
  const url = new URL(request.url)
  const formats = request.formats.map((options) => ({ format: registry.format(options.type) as Format, options }))
  for (const planned of formats) requirePorts(planned, ports)
  const captures = formats.flatMap(planCapture)
  const actions = request.actions.map((options) => planAction(options, registry))
  const needs = findNeeds(request, captures)
  const mayKeep = !request.zeroDataRetention
  const cache = planCache(request, mayKeep, formats)
  const keepers = cache.write ? registry.keepers.filter(({ ofJobs }) => !ofJobs || wants.isOfJob) : []
  const users = [...formats.map(({ format }) => format), ...keepers]
  const shortened = new Set(formats.filter(isShortened).map(({ format }) => format))
  return {
    request,
    url,
    needs,
    loaders: isRaw ? withoutScripts(findLoaders(url, needs, registry)) : findLoaders(url, needs, registry),
    tiers: findTiers(request, ports),
    captures,
    actions,
    browserNeeds: sumBrowserNeeds(request, captures, actions),
    formats,
    keepers,
    readings: [
      ...findReadings(users, request, registry, { ...wants, shortened }),
      ...(screening ? [screening.reading] : []),
      ...policyReadings(registry.policies),
    ],
    cache,
    mayKeep,
    isRaw,
    withoutEffect: isRaw ? setOfRaw(asked) : [],
    isLockdown: request.lockdown,
    isRedacted: request.redactPII !== undefined,
    screening,
    isScreened: screening?.llm !== undefined,
    fromPageAlone:
      !screening &&
      captures.length === 0 &&
      [...users, registry.format('metadata') as Format].every((user) => isOfPage(user, registry)),
    needsBlocks: wants.blocks === true || formats.some(({ format, options }) => format.locates?.(options)),
    revisit: cache.write ? formats.find(({ format }) => format.revisit) : undefined,
    pricing: wants.pricing ?? pagePricing,
  }
}

/** Throws if the engine has no way to ask a person, or if the login could not be saved. */
function checkPerson({ profile, zeroDataRetention }: ScrapeRequest, ports: PlanKit['ports']): void {
  if (!ports.has(pageWaitsPort.name)) throw missingPort(pageWaitsPort, 'The option person')
  if (!profile) throw new EngineError('invalid_request', 'person requires profile, which keeps the login. Add profile.')
  if (!zeroDataRetention) return
  throw new EngineError(
    'invalid_request',
    'person cannot be combined with zeroDataRetention, which stores nothing. Remove one of them.',
  )
}

/** Options about a rendered page, which a body does not have. */
const noneOfRaw = { actions: [], waitFor: 0, mobile: false } as const

function setOfRaw({ actions, waitFor, mobile }: ScrapeRequest): readonly string[] {
  return [
    ...(actions.length > 0 ? ['actions'] : []),
    ...(waitFor > 0 ? ['waitFor'] : []),
    ...(mobile ? ['mobile'] : []),
  ]
}

function withoutScripts(loaders: readonly Loader[]): readonly Loader[] {
  const plain = loaders.filter((loader) => !runsScripts(loader))
  if (plain.length > 0) return plain
  throw new EngineError('not_configured', 'No loader of this engine returns the body of a response as received.')
}

function requirePorts(
  { format: { type, requires, requiresFor }, options }: PlannedFormat,
  ports: PlanKit['ports'],
): void {
  for (const port of [...Object.values(requires), ...requiresFor(options)])
    if (!ports.has(port.name)) throw missingPort(port, `The format ${type}`)
}

function planCapture({ format, options }: PlannedFormat): Capture[] {
  const { capture } = format
  if (!capture) return []
  return [
    { name: format.type, options, run: (tab, signal) => capture(tab, options, signal), failure: format.captureFailure },
  ]
}

/** Returns whether a value and its inputs depend only on the page and the options. */
function isOfPage({ read, fromPageAlone, needs }: Field, registry: Registry): boolean {
  if (read) return true
  return fromPageAlone === true && Object.values(needs).every((need) => isOfPage(registry.bind(need), registry))
}

function planAction(options: RequestedPart, registry: Registry): PlannedAction {
  const action = registry.actions.find(({ type }) => type === options.type)
  if (!action) throw new EngineError('invalid_request', `actions: ${options.type} is not an action of this engine.`)
  const needs = { ...allBrowserNeeds, ...action.needs }
  const plugin = registry.ownerOf(action)
  return { type: action.type, needs, plugin, run: (tab, context) => action.run(tab, options, context) }
}

// An action without declared needs may do anything.
const allBrowserNeeds: BrowserNeeds = { pictures: true, ownContext: true }

function sumBrowserNeeds(
  request: ScrapeRequest,
  captures: readonly Capture[],
  actions: readonly PlannedAction[],
): BrowserNeeds {
  // A page with the caller's own headers does not share a browser context with other pages of the job.
  const isPersonal = Object.keys(request.headers).length > 0 || request.profile !== undefined
  return {
    pictures: captures.length > 0 || actions.some(({ needs }) => needs.pictures),
    ownContext: isPersonal || actions.some(({ needs }) => needs.ownContext),
  }
}

const enhanced = 'The option proxy: enhanced'

/** `auto` means basic if there are no proxies to fall back to. */
function findTiers({ proxy }: ScrapeRequest, ports: PlanKit['ports']): Tier[] {
  const hasProxies = ports.has(proxiesPort.name)
  if (proxy === 'enhanced') {
    if (!hasProxies) throw missingPort(proxiesPort, enhanced, { capability: 'proxy' })
    return ['enhanced']
  }
  return proxy === 'auto' && hasProxies ? ['basic', 'enhanced'] : ['basic']
}

function findNeeds(request: ScrapeRequest, captures: readonly Capture[]): Need[] {
  return [
    ...captures.map(({ name, failure }): Need => ({ capability: 'capture', because: `The format ${name}`, failure })),
    ...(request.actions.length > 0 ? [{ capability: 'actions', because: 'The option actions' } as const] : []),
    ...(request.waitFor > 0 ? [{ capability: 'wait', because: 'The option waitFor' } as const] : []),
    ...(request.mobile ? [{ capability: 'mobile', because: 'The option mobile' } as const] : []),
    ...(request.profile ? [{ capability: 'profile', because: 'The option profile' } as const] : []),
    ...(request.proxy === 'enhanced' ? [{ capability: 'proxy', because: enhanced } as const] : []),
  ]
}

function findLoaders(url: URL, needs: readonly Need[], registry: Registry): Loader[] {
  for (const need of needs) {
    if (!registry.loaders.some(({ accepts, offers }) => accepts(url) && offers.includes(need.capability)))
      throw unmet(need)
  }
  const loaders = registry.loaders.filter(
    ({ schemes, accepts, offers }) =>
      schemes.includes(url.protocol.slice(0, -1)) &&
      accepts(url) &&
      needs.every(({ capability }) => offers.includes(capability)),
  )
  if (loaders.length > 0) return loaders
  const wanted = needs.map(({ capability }) => capability).join(' and ')
  throw new EngineError('not_configured', `No loader of this engine offers ${wanted || 'access to this URL'} at once.`)
}

function unmet({ capability, because, failure }: Need): EngineError {
  const missing = missingPort(portOfCapability[capability], because, { capability })
  return failure === undefined ? missing : new EngineError(failure, missing.message, { details: missing.details })
}

/** Headers, actions and a profile make a page personal: it is neither read from the cache nor written to it. */
function planCache(request: ScrapeRequest, mayKeep: boolean, formats: readonly PlannedFormat[]): CachePlan {
  const { maxAge, minAge, lockdown, actions, headers, profile, storeInCache } = request
  const isPersonal =
    actions.length > 0 || Object.keys(headers).length > 0 || profile !== undefined || hasCredentials(request.url)
  const only = minAge !== undefined || lockdown
  const isRaw = formats.some(({ format }) => format.isRaw)
  const isFresh = request.record === true || isRaw || formats.some(({ format }) => format.follows)
  const read =
    !isPersonal && !isFresh && (only || maxAge > 0)
      ? { from: minAge ?? 0, to: maxAge > 0 ? maxAge : Infinity }
      : undefined
  return { read, only, write: storeInCache && mayKeep && !isPersonal && !isRaw }
}

/**
 * Returns the plan for a page that is rendered by scripts: only loaders that run scripts, no cached copy, and no tier before
 * the one that returned the page. `undefined` if there is no such loader, for raw files, or if only the cache may be used.
 */
export function escalate(plan: Plan, proxyUsed: Page['proxyUsed']): Plan | undefined {
  if (plan.isRaw || plan.cache.only) return undefined
  const loaders = plan.loaders.filter(runsScripts)
  if (loaders.length === 0) return undefined
  const tiers = plan.tiers.slice(proxyUsed === 'stealth' ? Math.max(0, plan.tiers.indexOf('enhanced')) : 0)
  return { ...plan, loaders, tiers, cache: { ...plan.cache, read: undefined }, revisit: undefined }
}

/** Returns whether the page can be loaded both with and without scripts. */
export function hasChoice({ loaders }: Plan): boolean {
  return loaders.some(runsScripts) && !loaders.every(runsScripts)
}

/** Returns the loaders with those that run scripts first. Otherwise their order is unchanged. */
export function scriptsFirst(loaders: readonly Loader[]): readonly Loader[] {
  return [...loaders.filter(runsScripts), ...loaders.filter((loader) => !runsScripts(loader))]
}

/** Returns the loaders that run scripts, or all if none does. */
export function scriptsOnly(loaders: readonly Loader[]): readonly Loader[] {
  const some = loaders.filter(runsScripts)
  return some.length > 0 ? some : loaders
}

/** Returns the loaders from the one of this name on, then those before it; the list itself if that changes nothing. */
export function withFirst(loaders: readonly Loader[], first: string): readonly Loader[] {
  const at = loaders.findIndex(({ name }) => name === first)
  return at > 0 ? [...loaders.slice(at), ...loaders.slice(0, at)] : loaders
}

/** Returns whether a loader runs the scripts of a page. */
export function runsScripts({ offers }: Loader): boolean {
  return offers.includes('scripts')
}
