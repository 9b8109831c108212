import { type BrowserProfile, EngineError, type LiveBrowser, publicMessage } from '@harvestman/ports'
import type { FeatureKit, ReplayContext } from '@harvestman/core/plugin'

export type ReplayKit = Pick<FeatureKit, 'clock' | 'actions' | 'policies'>

/** Returns the browser profile of a scrape. Its own headers override those in `sends`. */
export function profileOfReplay(
  { headers, mobile, blockAds, skipTlsVerification, location }: ReplayContext,
  sends: BrowserProfile['headers'],
): BrowserProfile {
  return { headers: { ...sends, ...headers }, mobile, blockAds, skipTlsVerification, location }
}

const minTime = 30_000
const maxTime = 300_000
const besideWaits = 45_000

/** Does nothing instead of reading the page, since reading has no effect on it. */
const readsNothing = async (): Promise<undefined> => undefined

/**
 * Repeats a scrape in a live browser: the same URL, wait and actions, except actions that are not repeated (`isRepeated`).
 * Rejects with `policy_denied` if a policy forbids it, with the reason of the signal, or with `conflict` if it fails or takes
 * too long: 45 seconds more than its waits, but at most 5 minutes.
 */
export async function replayScrape(
  live: LiveBrowser,
  context: ReplayContext,
  { team, ...kit }: ReplayKit & { readonly team: string },
  signal: AbortSignal,
): Promise<void> {
  const { clock } = kit
  const actions = context.actions.flatMap((options) => {
    const action = kit.actions.find(({ type }) => type === options.type)
    return action && action.isRepeated !== false ? [{ action, options }] : []
  })
  const waits = context.waitFor + actions.reduce((sum, { action, options }) => sum + action.waits(options), 0)
  const most = Math.min(Math.max(waits + besideWaits, minTime), maxTime)
  const budget = AbortSignal.timeout(most)
  const either = AbortSignal.any([signal, budget])
  const end = performance.now() + most
  const timeLeft = (): number => Math.max(0, end - performance.now())
  try {
    const { download } = await live.tab.goto(new URL(context.url), either)
    if (download) throw new EngineError('unsupported_file', 'The URL is a file, which a browser does not show.')
    if (context.waitFor > 0) await clock.sleep(context.waitFor, either)
    for (const { action, options } of actions) {
      await kit.policies.action(options, await live.tab.url(), { team, signal: either })
      await action.run(live.tab, options, { clock, signal: either, timeLeft, read: readsNothing })
    }
  } catch (error) {
    signal.throwIfAborted()
    if (EngineError.is(error) && error.code === 'policy_denied') throw error
    const why = publicMessage(error, 'It did not finish in time.')
    throw new EngineError(
      'conflict',
      `The page could not be restored to its state at the end of the scrape. ${why} Scrape it again, and retry.`,
      {
        cause: error,
      },
    )
  }
}
