import { EngineError } from '../errors/error.ts'
import type { Page } from '../plugin/parts.ts'
import type { Proxy } from '../ports/proxies.ts'
import { blockOf, type Block } from './block-signals.ts'
import type { Caller } from './caller.ts'
import { climb } from './climb.ts'
import type { Kit } from './kit.ts'
import type { Plan, Tier } from './plan.ts'

/**
 * Loads the page through the first tier of proxies that the plan allows. The next one is tried when the host refuses the
 * page, and counts only when it brings a better one.
 */
export async function loadThroughTiers(plan: Plan, caller: Caller, signal: AbortSignal, kit: Kit): Promise<Page> {
  const [tier = 'basic', next] = plan.tiers
  const first = await tryTier(tier, plan, caller, signal, kit)
  if (next === undefined || !first.block) return pageOf(first)
  const proxy = await pick(next, plan, kit)
  if (!proxy) {
    caller.trail?.note({ step: 'proxy', outcome: 'kept', reason: `${first.block.reason} There is no ${next} proxy.` })
    return pageOf(first)
  }
  caller.trail?.note({ step: 'proxy', outcome: `${next} next`, reason: first.block.reason })
  const second = await tryTier(next, plan, caller, signal, kit, proxy)
  return pageOf('page' in second && !second.block ? second : first)
}

type Tried = { readonly block: Block | undefined } & ({ readonly page: Page } | { readonly error: EngineError })

function pageOf(tried: Tried): Page {
  if ('error' in tried) throw tried.error
  const { page, block } = tried
  if (block?.wall === undefined) return page
  const warning = `${block.reason} What came is not the page. The option proxy: enhanced or auto may help.`
  return { ...page, warnings: [...page.warnings, warning] }
}

async function tryTier(
  tier: Tier,
  plan: Plan,
  caller: Caller,
  signal: AbortSignal,
  kit: Kit,
  picked?: Proxy,
): Promise<Tried> {
  const proxy = picked ?? (await pick(tier, plan, kit))
  if (!proxy && tier === 'enhanced') throw noneFits(plan)
  if (kit.proxies) caller.trail?.note({ step: 'proxy', outcome: proxy ? tier : 'direct' })
  try {
    const page = await climb(plan, proxy, caller, signal, kit)
    const used = tier === 'enhanced' ? { ...page, proxyUsed: 'stealth' as const } : page
    return { page: used, block: blockOf(page) }
  } catch (error) {
    if (signal.aborted || !EngineError.is(error)) throw error
    return { error, block: brokenOff(error) }
  }
}

/** Some walls answer nothing at all: they break the connection. */
function brokenOff(error: EngineError): Block | undefined {
  const isBroken = ['connection_failed', 'bad_response', 'loaders_failed'].includes(error.code)
  return isBroken ? { reason: error.message } : undefined
}

async function pick(tier: Tier, { request }: Plan, { proxies }: Kit): Promise<Proxy | undefined> {
  try {
    return await proxies?.pick({ tier, country: request.location.country })
  } catch (cause) {
    if (EngineError.is(cause)) throw cause
    throw new EngineError('connection_failed', 'No proxy could be had. Look at the proxies of this engine.', { cause })
  }
}

function noneFits({ request }: Plan): EngineError {
  const because = 'The option proxy: enhanced'
  const message = `${because} needs an enhanced proxy for ${request.location.country}, and there is none. Add one to the proxies of this engine.`
  return new EngineError('not_configured', message, { details: { port: 'proxies', because, capability: 'proxy' } })
}
