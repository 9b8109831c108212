// Learns the recipe of a page from traffic that was received before.
import { proxyOutcome, tariff, type CreditHold } from '@harvestman/core/plugin'
import { EngineError, type PickedProxy, type Proxy } from '@harvestman/ports'

import type { Catalog, SiteApi } from './catalog.ts'
import { learnRecipe, type Refusal } from './learn.ts'
import type { PageTraffic } from './page-traffic.ts'
import { limits, type Item } from './recipe.ts'
import { makeSender, type SendingKit } from './sending.ts'
import type { Work } from './work.ts'

/** Dependencies for learning on behalf of a team. */
export interface Learning {
  readonly catalog: Catalog
  readonly hold: CreditHold
  readonly sending: Omit<SendingKit, 'signal' | 'skipTlsVerification' | 'proxy'>
  /** Picks a basic proxy for a page. `undefined` if the engine has no proxies. */
  readonly pickProxy: (url: URL, signal: AbortSignal) => Promise<PickedProxy | undefined>
  readonly makeWork: (signal: AbortSignal) => Work
  readonly repeatPosts: boolean
  readonly signal: AbortSignal
}

/** Reads the traffic of a page. */
export type ReadTraffic = (signal: AbortSignal) => Promise<PageTraffic>

/** The result of learning. */
export interface LearnedApi {
  readonly api?: SiteApi
  readonly items: readonly Item[]
  readonly refused: readonly Refusal[]
  readonly creditsUsed: number
}

/**
 * Reads traffic, learns a recipe from it, and stores the recipe in place of the one for the same page. Sends at most 40 requests, and
 * takes at most two minutes. Costs a credit if there is a result, also without a recipe, and if a request was sent. Rejects
 * with `timeout`, and with `insufficient_credits` before anything is read.
 */
export async function learnFromTraffic(read: ReadTraffic, learning: Learning): Promise<LearnedApi> {
  const late = AbortSignal.timeout(limits.learnTime)
  const signal = AbortSignal.any([learning.signal, late])
  const { hold } = learning
  let hasSent = false
  await hold.reserve(tariff.page)
  try {
    const traffic = await read(signal)
    const learned = await withProxy(traffic, learning, signal, (proxy) => {
      const onRequest = (): boolean => (hasSent = true)
      return learn(traffic, { ...learning, sending: { ...learning.sending, proxy, onRequest } }, signal)
    })
    await hold.settle(tariff.page)
    return { ...learned, creditsUsed: tariff.page }
  } catch (cause) {
    await (hasSent ? hold.settle(tariff.page) : hold.release())
    if (!late.aborted || learning.signal.aborted) throw cause
    throw new EngineError('timeout', `Nothing was learned within ${limits.learnTime} ms. Try again later.`, { cause })
  }
}

type Learned = Omit<LearnedApi, 'creditsUsed'>

/** Learns with the proxy of the traffic, or picks one, and reports whether the requests were successful. */
async function withProxy(
  { proxy, url }: PageTraffic,
  { pickProxy }: Learning,
  signal: AbortSignal,
  run: (proxy: Proxy | undefined) => Promise<Learned>,
): Promise<Learned> {
  if (proxy !== 'basic') return run(proxy)
  const picked = await pickProxy(url, signal)
  try {
    const learned = await run(picked)
    picked?.report?.({ outcome: learned.api ? 'ok' : 'unknown' })
    return learned
  } catch (error) {
    picked?.report?.({ outcome: proxyOutcome(error) })
    throw error
  }
}

async function learn(
  { url, exchanges, cookies, redacted, shown, skipTlsVerification }: PageTraffic,
  {
    catalog,
    sending,
    makeWork,
    repeatPosts,
  }: Omit<Learning, 'sending'> & { readonly sending: Omit<SendingKit, 'signal' | 'skipTlsVerification'> },
  signal: AbortSignal,
): Promise<Learned> {
  const work = makeWork(signal)
  const text = await work('shownText', shown)
  const { learned, refused } = await learnRecipe({
    ...{ url, exchanges, shown: text, cookies, redacted, repeatPosts, work },
    makeSender: (max) => makeSender({ ...sending, skipTlsVerification, signal }, max),
  })
  if (!learned) return { items: [], refused }
  return { api: await catalog.put(learned.recipe, exchanges.length), items: learned.items, refused }
}
