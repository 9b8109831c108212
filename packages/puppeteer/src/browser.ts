import { EngineError } from '@harvestman/core'
import type { Browser, BrowserProfile, Guard, MakeBrowser, Tab } from '@harvestman/core/ports'

import { adPatterns, isAdHost, unseenPatterns } from './ads/hosts.ts'
import { reach } from './chromium/endpoint.ts'
import { launch } from './chromium/launch.ts'
import { reap } from './chromium/reap.ts'
import type { Running } from './chromium/running.ts'
import { openEgress } from './egress/egress.ts'
import { findBrowser, noBrowser } from './find.ts'
import { race } from './lib/race.ts'
import { defaultTabs, type PuppeteerOptions } from './options.ts'
import { makePool, type Start } from './pool/pool.ts'
import { makeSlots } from './pool/slots.ts'
import { identityOf } from './profile/identity.ts'
import { makeTab } from './tab/tab.ts'
import { openView } from './tab/view.ts'

/** Real browsers for an engine: `createEngine({ browser: puppeteerBrowser() })`. Nothing is started before it is needed. */
export function puppeteerBrowser(options: PuppeteerOptions = {}): MakeBrowser {
  return (guard) => makeBrowser(guard, options)
}

function makeBrowser(guard: Guard, options: PuppeteerOptions): Browser {
  const slots = makeSlots(options.tabs ?? defaultTabs)
  const pool = makePool(starter(options), () => openEgress(guard, { host: options.reachableAt }), options)
  const open = async (profile: BrowserProfile, signal: AbortSignal): Promise<Tab> => {
    const free = await slots.take(signal)
    try {
      const place = await pool.open(
        {
          pictures: profile.pictures !== false,
          proxy: profile.proxy?.url,
          leavesOut: profile.blockAds ? isAdHost : undefined,
        },
        signal,
      )
      const release = (): Promise<void> => place.close().finally(free)
      const disguise = {
        profile,
        identity: identityOf(place.running.userAgent, profile),
        leavesOut: [...(profile.blockAds ? adPatterns : []), ...(profile.pictures === false ? unseenPatterns : [])],
      }
      try {
        return makeTab(await race(openView(place, guard, disguise), signal, place.broken), release)
      } catch (error) {
        await release()
        throw error
      }
    } catch (error) {
      free()
      throw error
    }
  }
  return { open, close: pool.close }
}

function starter(options: PuppeteerOptions): Start {
  let isReaped = false
  return async ({ pictures }, egress, signal): Promise<Running> => {
    if (options.endpoint !== undefined) {
      checkReach(options.endpoint, options)
      return reach(options.endpoint, signal)
    }
    const found = findBrowser(options)
    if (!found) throw noBrowser()
    if (!isReaped) reap()
    isReaped = true
    const sandbox = options.sandbox ?? process.getuid?.() !== 0
    return launch({ ...found, proxy: egress.address, pictures, sandbox }, signal)
  }
}

/** A browser elsewhere cannot reach a proxy that listens for this machine alone, and would be without a guard. */
function checkReach(endpoint: string, { reachableAt }: PuppeteerOptions): void {
  const { hostname } = new URL(endpoint)
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (isHere || reachableAt !== undefined) return
  throw new EngineError(
    'not_configured',
    'The browser at this endpoint runs on another machine, so it cannot reach the proxy that guards it. Give reachableAt: an address of this machine that it can reach.',
    { details: { port: 'browser' } },
  )
}
