// Learns the recipe of a page from traffic that was received before.
import { tariff, type CreditHold } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

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
  readonly sending: Omit<SendingKit, 'signal' | 'skipTlsVerification'>
  readonly makeWork: (signal: AbortSignal) => Work
  readonly repeatPosts: boolean
  readonly signal: AbortSignal
}

/** The result of learning. */
export interface LearnedApi {
  readonly api?: SiteApi
  readonly items: readonly Item[]
  readonly refused: readonly Refusal[]
  readonly creditsUsed: number
}

/**
 * Learns a recipe and stores it in place of the one for the same page. Sends at most 40 requests, within two minutes. Costs a
 * credit, also if there is no recipe. Rejects with `timeout`, and with `insufficient_credits` before anything is sent.
 */
export async function learnFromTraffic(traffic: PageTraffic, learning: Learning): Promise<LearnedApi> {
  const late = AbortSignal.timeout(limits.learnTime)
  const signal = AbortSignal.any([learning.signal, late])
  const { hold } = learning
  await hold.reserve(tariff.page)
  try {
    const learned = await learn(traffic, learning, signal)
    await hold.settle(tariff.page)
    return { ...learned, creditsUsed: tariff.page }
  } catch (cause) {
    await hold.release()
    if (!late.aborted || learning.signal.aborted) throw cause
    throw new EngineError('timeout', `Nothing was learned within ${limits.learnTime} ms. Try again later.`, { cause })
  }
}

async function learn(
  { url, exchanges, cookies, redacted, shown, skipTlsVerification }: PageTraffic,
  { catalog, sending, makeWork, repeatPosts }: Learning,
  signal: AbortSignal,
): Promise<Omit<LearnedApi, 'creditsUsed'>> {
  const work = makeWork(signal)
  const text = await work('shownText', shown)
  const { learned, refused } = await learnRecipe({
    ...{ url, exchanges, shown: text, cookies, redacted, repeatPosts, work },
    makeSender: (max) => makeSender({ ...sending, skipTlsVerification, signal }, max),
  })
  if (!learned) return { items: [], refused }
  return { api: await catalog.put(learned.recipe, exchanges.length), items: learned.items, refused }
}
