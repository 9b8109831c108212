import { EngineError, publicMessage, type PickedProxy, type ProxyResult } from '@harvestman/ports'
import { retryAfter } from '@harvestman/toolbox/retry-after'
import { proxyOutcome } from '@harvestman/toolbox/proxy-outcome'
import { proxiesPort } from '../plugin/core-ports.ts'
import { missingPort } from '../plugin/missing-port.ts'
import type { Block, Loader, Page } from '../plugin/parts.ts'
import { detectBlock } from './block-signals.ts'
import type { ScrapeContext } from './context.ts'
import { brokenOff, tryLoaders, type LadderStep, type PageByLoader, type StepResult } from './ladder.ts'
import { pickProxy, proxySession } from '../lib/pick-proxy.ts'
import type { Plan, Tier } from './plan.ts'

/** A loaded page, and whether a further step loaded it after a block. */
export interface Passage {
  readonly page: Page
  readonly isRaised: boolean
}

/**
 * Loads the page through the first proxy tier of the plan. If the host blocks it, tries further steps (`raise.ts`) and returns
 * their page unless they failed or are blocked too. A page that stays blocked may have a warning. Rejects with the error of the
 * first tier if its loaders failed, with `not_configured` if there is no enhanced proxy, and with `connection_failed` if the
 * proxies fail.
 */
export async function loadThroughTiers(loaders: readonly Loader[], given: ScrapeContext): Promise<Passage> {
  const context = { ...given, plan: { ...given.plan, loaders } }
  const [tier = 'basic'] = context.plan.tiers
  const first = await tryTier(tier, await pick(tier, context), loaders, context)
  const { block } = first
  // All loaders were tried with the same error, so only another tier can help.
  const isLast = 'error' in first && context.plan.tiers.length === 1
  if ('page' in first && !block && first.page.gotPast) {
    const { loader, gotPast } = first.page
    await (await import('./raise.ts')).remember(context, { loader, tier }, gotPast)
    return { page: pageOf(first), isRaised: true }
  }
  if (!block || isLast) return { page: pageOf(first), isRaised: false }
  const { raise } = await import('./raise.ts')
  const tools = {
    pick: async (next: Tier) => pickNext(next, context),
    attempt: async (step: LadderStep, own: ScrapeContext) => tryTier(step.tier, step.proxy, step.loaders, own),
  }
  const last = await raise({ ...first, block }, tools, context)
  return { page: pageOf(last), isRaised: !last.block }
}

function pageOf(tried: StepResult): Page {
  if ('error' in tried) throw tried.error
  const { loader: _, gotPast: __, ...page } = tried.page
  const { block } = tried
  if (!block) return page
  const remedy = remedies[block.signal]
  const warnings = remedy === undefined ? [] : [`${block.reason} The response is not the page. ${remedy}`]
  return { ...page, block, warnings: [...page.warnings, ...warnings] }
}

const otherProxy = 'The option proxy: enhanced or auto may help.'

/** Remedies for a page that stays blocked. A status alone needs no warning. */
const remedies: Readonly<Partial<Record<Block['signal'], string>>> = {
  wall: otherProxy,
  challenge: otherProxy,
  address: otherProxy,
  soft: otherProxy,
  captcha: 'A person can solve it in a live browser with a profile.',
  login: 'Log in with a profile.',
}

/**
 * Returns a proxy, `undefined` to load the page directly, or the reason why there is none: it must not replace the result of
 * the first step.
 */
async function pickNext(tier: Tier, context: ScrapeContext): Promise<PickedProxy | string | undefined> {
  const none = `There is no ${tier} proxy.`
  try {
    return (await pick(tier, context)) ?? (tier === 'enhanced' ? none : undefined)
  } catch (error) {
    context.time.signal.throwIfAborted()
    return publicMessage(error, none)
  }
}

/** Maximum number of proxies of a tier that are tried if they are down. */
const maxProxies = 3

/** Loads the page through the proxy. If it is down, no request has reached the host, so another one of the tier is tried. */
async function tryTier(
  tier: Tier,
  picked: PickedProxy | undefined,
  loaders: readonly Loader[],
  context: ScrapeContext,
): Promise<StepResult> {
  if (!picked && tier === 'enhanced') throw noneFits(context.plan)
  if (context.kit.proxies) context.steps?.note({ step: 'proxy', outcome: picked ? tier : 'direct' })
  const used = new Set<string>()
  let proxy = picked
  for (;;) {
    const tried = await tryProxy(tier, proxy, loaders, context)
    if (!proxy || !('error' in tried) || proxyOutcome(tried.error) !== 'down') return tried
    used.add(proxy.url)
    const next = used.size < maxProxies ? await pick(tier, context).catch(() => undefined) : undefined
    context.time.signal.throwIfAborted()
    if (!next || used.has(next.url)) {
      next?.report?.({ outcome: 'unknown' })
      return tried
    }
    context.steps?.note({ step: 'proxy', outcome: 'another', reason: tried.error.message })
    proxy = next
  }
}

async function tryProxy(
  tier: Tier,
  proxy: PickedProxy | undefined,
  loaders: readonly Loader[],
  context: ScrapeContext,
): Promise<StepResult> {
  try {
    const page = await tryLoaders(loaders, proxy, context)
    const block = page.block ?? detectBlock(page, context.plan.url, context.kit.clock.now())
    context.profile?.advance(page, block)
    proxy?.report?.(resultOf(page, block, context))
    const used = tier === 'enhanced' ? { ...page, proxyUsed: 'stealth' as const } : page
    return { page: used, block, proxy }
  } catch (error) {
    proxy?.report?.({ outcome: proxyOutcome(error) })
    if (context.time.signal.aborted || !EngineError.is(error)) throw error
    return { error, block: brokenOff(error), proxy }
  }
}

function resultOf(page: PageByLoader, block: Block | undefined, { plan, kit }: ScrapeContext): ProxyResult {
  const { latency, headers } = page
  if (!block || block.signal === 'challenge' || block.signal === 'login') return { outcome: 'ok', latency }
  // A refusal of the first loader may be about the loader.
  const isSure = block.signal === 'address' || block.signal === 'rate' || page.loader === plan.loaders.at(-1)?.name
  if (!isSure) return { outcome: 'unknown', latency }
  return { outcome: 'blocked', latency, retryAfter: retryAfter(headers['retry-after'], kit.clock.now()) }
}

async function pick(tier: Tier, { plan, caller, kit, time }: ScrapeContext): Promise<PickedProxy | undefined> {
  const { location, profile } = plan.request
  const session = proxySession(caller.team, profile, caller.group)
  const request = { tier, country: location.country, host: plan.url.host, session }
  return kit.proxies && pickProxy(kit.proxies, request, time.signal)
}

function noneFits({ request }: Plan): EngineError {
  const because = 'The option proxy: enhanced'
  return missingPort(proxiesPort, because, {
    subject: `${because} with the country ${request.location.country}`,
    capability: 'proxy',
  })
}
