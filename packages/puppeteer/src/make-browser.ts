import { makeSemaphore } from '@harvestman/toolbox/semaphore'
import type { Browser, BrowserProfile, Guard, Tab } from '@harvestman/ports'

import type { Running } from './chromium/running.ts'
import { starter } from './chromium/starter.ts'
import { openEgress } from './egress/egress.ts'
import { race } from './lib/race.ts'
import { defaultTabs, type PuppeteerOptions } from './lib/options.ts'
import { makePool } from './pool/pool.ts'
import { makeGroups } from './pool/groups.ts'
import { disguiseOf, wantOf } from './pool/wish.ts'
import { makeTab } from './tab/tab.ts'
import { bringState } from './tab/state.ts'
import { openView, type View } from './tab/view.ts'

// A page that was reused many times has accumulated memory.
const maxUses = 100
const groupTimes = { rest: 250, end: 10_000 }

/**
 * Creates browsers that open tabs for scrapes, and reuse pages within a group. `open` waits for one of the `tabs` places of the
 * options, and `opened` receives its browser. It rejects with the signal's reason, if no browser can be started, and after `close` with `closed`.
 */
export function makeBrowser(guard: Guard, options: PuppeteerOptions, opened: (running: Running) => void): Browser {
  const most = options.tabs ?? defaultTabs
  const tabs = makeSemaphore({ limit: most, spare: 1 })
  const browsers = starter(options)
  const pool = makePool(browsers, () => openEgress(guard, { host: options.reachableAt }), options)
  const groups = makeGroups<View>(groupTimes)

  const openFresh = async (profile: BrowserProfile, signal: AbortSignal): Promise<View> => {
    await groups.shrink(Math.max(0, most - tabs.held))
    const place = await pool.open(wantOf(profile), signal)
    opened(place.running)
    try {
      const view = await race(openView(place, guard, disguiseOf(profile, place)), signal, place.broken)
      if (profile.state !== undefined) await race(bringState(view, profile.state), signal, place.broken)
      return view
    } catch (error) {
      await place.close()
      throw error
    }
  }

  const takeAwake = async (key: string): Promise<View | undefined> => {
    for (let view = await groups.take(key); view; view = await groups.take(key)) {
      pool.useAgain(view.place)
      if (await view.isAwake()) return view
      await view.place.close()
    }
    return undefined
  }

  const open = async (profile: BrowserProfile, signal: AbortSignal): Promise<Tab> => {
    const free = await tabs.acquire(profile.team ?? '', signal)
    const release = (): void => {
      free()
      if (tabs.held === 0) pool.rest()
    }
    try {
      const key = profile.group === undefined ? undefined : JSON.stringify(profile)
      const known = key === undefined ? undefined : await takeAwake(key)
      const view = known ?? (await openFresh(profile, signal))
      return makeTab(view, async (isSound) => {
        const mayGoOn = key !== undefined && isSound && view.uses < maxUses && pool.mayGoOn(view.place)
        if (mayGoOn && (await view.tidy())) groups.keep(key, view)
        else await view.place.close()
        release()
      })
    } catch (error) {
      release()
      throw error
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all([groups.close(), pool.close()])
    browsers.close()
  }
  return { open, close }
}
