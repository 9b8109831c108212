import { EngineError, type Proxy } from '@harvestman/ports'
import { proxiesPort } from '../plugin/core-ports.ts'
import { missingPort } from '../plugin/missing-port.ts'
import type { Loader, Page } from '../plugin/parts.ts'
import { detectBlock, type Block } from './block-signals.ts'
import type { ScrapeContext } from './context.ts'
import type { Kit } from './kit.ts'
import { tryLoaders } from './ladder.ts'
import type { Plan, Tier } from './plan.ts'

/**
 * Loads the page through the first proxy tier of the plan. If the host blocks it, tries the next tier and uses that result
 * unless it failed or is blocked too. A page that stays blocked may have a warning. Rejects with the error of the first tier if
 * its loaders failed, with `not_configured` if there is no enhanced proxy, and with `connection_failed` if the proxies fail.
 */
export async function loadThroughTiers(loaders: readonly Loader[], context: ScrapeContext): Promise<Page> {
  const { plan, kit, steps } = context
  const [tier = 'basic', next] = plan.tiers
  const first = await tryTier(tier, await pick(tier, plan, kit), loaders, context)
  if (next === undefined || !first.block) return pageOf(first)
  const proxy = await pick(next, plan, kit)
  if (!proxy) {
    steps?.note({ step: 'proxy', outcome: 'kept', reason: `${first.block.reason} There is no ${next} proxy.` })
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

async function tryTier(
  tier: Tier,
  proxy: Proxy | undefined,
  loaders: readonly Loader[],
  context: ScrapeContext,
): Promise<Tried> {
  if (!proxy && tier === 'enhanced') throw noneFits(context.plan)
  if (context.kit.proxies) context.steps?.note({ step: 'proxy', outcome: proxy ? tier : 'direct' })
  try {
    const page = await tryLoaders(loaders, proxy, context)
    const used = tier === 'enhanced' ? { ...page, proxyUsed: 'stealth' as const } : page
    return { page: used, block: detectBlock(page) }
  } catch (error) {
    if (context.time.signal.aborted || !EngineError.is(error)) throw error
    return { error, block: brokenOff(error) }
  }
}

/** Some bot protection does not respond at all but closes the connection. */
function brokenOff(error: EngineError): Block | undefined {
  const isBroken = ['connection_failed', 'bad_response', 'loaders_failed'].includes(error.code)
  return isBroken ? { reason: error.message } : undefined
}

async function pick(tier: Tier, { request }: Plan, { proxies }: Kit): Promise<Proxy | undefined> {
  try {
    return await proxies?.pick({ tier, country: request.location.country })
  } catch (cause) {
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
