// Opens the browser of a session, within the policies of the engine.
import type { OpenProfile } from '@harvestman/core/plugin'
import type { BrowserProfile, LiveBrowser } from '@harvestman/ports'
import { pageCall } from '@harvestman/toolbox/page-call'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import type { LiveKit } from '../kit.ts'
import { offerModelContext } from '../page-scripts.ts'
import type { ConfinableBrowser } from '../task/confinement.ts'
import { allowedBrowser } from './allowed-browser.ts'

/** The browser to open, and for whom. */
export interface BrowserOpening {
  readonly team: string
  readonly profile: BrowserProfile
  readonly openProfile?: OpenProfile | undefined
  /** Prepares the browser before anyone else gets access to it. */
  readonly prepare?: (live: LiveBrowser) => Promise<void>
}

/**
 * Opens the browser of a session, and prepares it. Rejects if it fails, if `abandoned` is aborted
 * while the browser opens, or if `signal` is aborted before the end. A browser that is not used is closed.
 */
export async function openBrowser(
  kit: LiveKit,
  { team, profile, openProfile, prepare }: BrowserOpening,
  onFault: (fault: unknown) => void,
  { signal, abandoned }: { readonly signal: AbortSignal; readonly abandoned: AbortSignal },
): Promise<ConfinableBrowser> {
  const allowed = allowedBrowser(kit.policies, team)
  const scripts = kit.pageTools ? [pageCall(offerModelContext)] : []
  const request = { team, profile: allowed.profile(profile), state: openProfile?.state, scripts, onFault }
  const opened = kit.sessions.open(request, signal)
  const live = await untilAborted(opened, abandoned).then(allowed.live, (error: unknown) => {
    // The browser may open later nevertheless.
    void opened.then((late) => late.close()).catch(() => undefined)
    throw error
  })
  try {
    const done = await untilAborted(live.use(), abandoned)
    if (prepare) await untilAborted(prepare(live), signal)
    done()
    // The engine may have been closed meanwhile.
    signal.throwIfAborted()
    return live
  } catch (error) {
    await live.close()
    throw error
  }
}
