import { EngineError, publicMessage, type PickedProxy, type ProxyResult } from '@harvestman/ports'
import { retryAfter } from '@harvestman/toolbox/retry-after'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { proxiesPort, proxyOutcome } from '../plugin/core-ports.ts'
import { missingPort } from '../plugin/missing-port.ts'
import type { Loader, Page } from '../plugin/parts.ts'
import { detectBlock, type Block } from './block-signals.ts'
import type { ScrapeContext } from './context.ts'
import { tryLoaders } from './ladder.ts'
import type { Plan, Tier } from './plan.ts'

/**
 * Loads the page through the first proxy tier of the plan. If the host blocks it, tries the next tier and uses that result
 * unless it failed or is blocked too. A page that stays blocked may have a warning. Rejects with the error of the first tier if
 * its loaders failed, with `not_configured` if there is no enhanced proxy, and with `connection_failed` if the proxies fail.
 */
export async function loadThroughTiers(loaders: readonly Loader[], context: ScrapeContext): Promise<Page> {
  const { plan, steps } = context
  const [tier = 'basic', next] = plan.tiers
  const first = await tryTier(tier, await pick(tier, context), loaders, context)
  if (next === undefined || !first.block) return pageOf(first)
  const proxy = await pickNext(next, context)
  if (typeof proxy === 'string') {
    steps?.note({ step: 'proxy', outcome: 'kept', reason: `${first.block.reason} ${proxy}` })
    return pageOf(first)
  }
  steps?.note({ step: 'proxy', outcome: `${next} next`, reason: first.block.reason })
  const second = await tryTier(next, proxy, loaders, context)
  return pageOf('page' in second && !second.block ? second : first)
}

type Tried = { readonly block: Block | undefined } & ({ readonly page: Page } | { readonly error: EngineError })

function pageOf(tried: Tried): Page {
  if ('error' in tried) throw tried.error
  const { page, block } = tried
  if (block?.wall === undefined) return page
  const warning = `${block.reason} The response is not the page. The option proxy: enhanced or auto may help.`
  return { ...page, warnings: [...page.warnings, warning] }
}

/** Returns a proxy, or the reason why there is none: it must not replace the result of the first tier. */
async function pickNext(tier: Tier, context: ScrapeContext): Promise<PickedProxy | string> {
  const none = `There is no ${tier} proxy.`
  try {
    return (await pick(tier, context)) ?? none
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
): Promise<Tried> {
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
): Promise<Tried> {
  try {
    const page = await tryLoaders(loaders, proxy, context)
    const block = detectBlock(page)
    proxy?.report?.(resultOf(page, block, context))
    const used = tier === 'enhanced' ? { ...page, proxyUsed: 'stealth' as const } : page
    return { page: used, block }
  } catch (error) {
    proxy?.report?.({ outcome: proxyOutcome(error) })
    if (context.time.signal.aborted || !EngineError.is(error)) throw error
    return { error, block: brokenOff(error) }
  }
}

function resultOf({ latency, headers }: Page, block: Block | undefined, { kit }: ScrapeContext): ProxyResult {
  if (!block) return { outcome: 'ok', latency }
  return { outcome: 'blocked', latency, retryAfter: retryAfter(headers['retry-after'], kit.clock.now()) }
}

/** Some bot protection does not respond at all but closes the connection. */
function brokenOff(error: EngineError): Block | undefined {
  const isBroken = ['connection_failed', 'bad_response', 'loaders_failed'].includes(error.code)
  return isBroken ? { reason: error.message } : undefined
}

async function pick(tier: Tier, { plan, caller, kit, time }: ScrapeContext): Promise<PickedProxy | undefined> {
  const { proxies } = kit
  if (!proxies) return undefined
  const { country } = plan.request.location
  try {
    const picking = proxies.pick({ tier, country, host: plan.url.host, session: caller.group })
    return await untilAborted(picking, time.signal)
  } catch (cause) {
    time.signal.throwIfAborted()
    if (EngineError.is(cause)) throw cause
    throw new EngineError('connection_failed', 'No proxy is available. Check the proxies of this engine.', { cause })
  }
}

function noneFits({ request }: Plan): EngineError {
  const because = 'The option proxy: enhanced'
  return missingPort(proxiesPort, because, {
    says: `${because} with the country ${request.location.country}`,
    capability: 'proxy',
  })
}
