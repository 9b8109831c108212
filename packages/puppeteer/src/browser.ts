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
import type { Place } from './pool/place.ts'
import { makePool, type Start, type Want } from './pool/pool.ts'
import { makeSessions } from './pool/sessions.ts'
import { makeSlots } from './pool/slots.ts'
import type { Disguise } from './profile/apply.ts'
import { identityOf } from './profile/identity.ts'
import { makeTab } from './tab/tab.ts'
import { openView, type View } from './tab/view.ts'

/** Real browsers for an engine: `createEngine({ browser: puppeteerBrowser() })`. Nothing is started before it is needed. */
export function puppeteerBrowser(options: PuppeteerOptions = {}): MakeBrowser {
  return (guard) => makeBrowser(guard, options)
}

// A page that many others were shown on before has gathered what nobody needs.
const mostUses = 100
const sessionTimes = { rest: 250, end: 10_000 }

function makeBrowser(guard: Guard, options: PuppeteerOptions): Browser {
  const slots = makeSlots(options.tabs ?? defaultTabs)
  const pool = makePool(starter(options), () => openEgress(guard, { host: options.reachableAt }), options)
  const sessions = makeSessions<View>(sessionTimes)

  const openFresh = async (profile: BrowserProfile, signal: AbortSignal): Promise<View> => {
    await sessions.shrink(slots.most - slots.taken)
    const place = await pool.open(wantOf(profile), signal)
    try {
      return await race(openView(place, guard, disguiseOf(profile, place)), signal, place.broken)
    } catch (error) {
      await place.close()
      throw error
    }
  }

  const takeAwake = async (key: string): Promise<View | undefined> => {
    for (let view = sessions.take(key); view; view = sessions.take(key)) {
      pool.useAgain(view.place)
      if (await view.isAwake()) return view
      await view.place.close()
    }
    return undefined
  }

  const open = async (profile: BrowserProfile, signal: AbortSignal): Promise<Tab> => {
    const free = await slots.take(signal)
    const release = (): void => {
      free()
      if (slots.taken === 0) pool.rest()
    }
    try {
      const key = profile.session === undefined ? undefined : JSON.stringify(profile)
      const known = key === undefined ? undefined : await takeAwake(key)
      const view = known ?? (await openFresh(profile, signal))
      return makeTab(view, async (isSound) => {
        const mayGoOn = key !== undefined && isSound && view.uses < mostUses && pool.mayGoOn(view.place)
        if (mayGoOn && (await view.tidy())) sessions.keep(key, view)
        else await view.place.close()
        release()
      })
    } catch (error) {
      release()
      throw error
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all([sessions.close(), pool.close()])
  }
  return { open, close }
}

function wantOf(profile: BrowserProfile): Want {
  return {
    pictures: profile.pictures !== false,
    proxy: profile.proxy?.url,
    leavesOut: profile.blockAds ? isAdHost : undefined,
  }
}

function disguiseOf(profile: BrowserProfile, { running }: Place): Disguise {
  return {
    profile,
    identity: identityOf(running.userAgent, profile),
    leavesOut: [...(profile.blockAds ? adPatterns : []), ...(profile.pictures === false ? unseenPatterns : [])],
  }
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
