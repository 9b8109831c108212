import { EngineError } from '@harvestman/core'
import type { Guard, LiveBrowser, MakeSessions, Sessions, SessionWish } from '@harvestman/core/ports'

import { starter } from '../chromium/starter.ts'
import { openEgress } from '../egress/egress.ts'
import { race } from '../lib/race.ts'
import { defaultRest, type PuppeteerOptions } from '../options.ts'
import type { Place } from '../pool/place.ts'
import { makePool, type Pool } from '../pool/pool.ts'
import { disguiseOf, wantOf } from '../profile/wish.ts'
import { openView } from '../tab/view.ts'
import { makeLive } from './live.ts'

// A browser without a session is not kept warm for long: a session costs a start anyway.
const idle = 10_000

/** Live browsers for an engine: each team has a process of its own, and none of them is one that scrapes. */
export function puppeteerSessions(options: PuppeteerOptions = {}): MakeSessions {
  return (guard) => makeSessions(guard, options)
}

function makeSessions(guard: Guard, options: PuppeteerOptions): Sessions {
  const browsers = starter(options, { isLive: true })
  const pools = new Map<string, Pool>()
  const live = new Set<LiveBrowser>()
  const ends = new Map<string, NodeJS.Timeout>()
  let isClosed = false

  const poolOf = (team: string): Pool => {
    const known = pools.get(team)
    if (known) return known
    const pool = makePool(browsers, () => openEgress(guard, { host: options.reachableAt }), { ...options, idle })
    pools.set(team, pool)
    return pool
  }

  const open = async ({ team, profile, state }: SessionWish, signal: AbortSignal): Promise<LiveBrowser> => {
    if (isClosed) throw new EngineError('closed', 'The browser was closed.')
    const pool = poolOf(team)
    clearTimeout(ends.get(team))
    const want = { ...wantOf(profile), pictures: true }
    let place: Place | undefined
    try {
      place = await pool.open(want, signal)
      const shown = { ...profile, pictures: true }
      const view = await race(openView(place, guard, disguiseOf(shown, place), true), signal, place.broken)
      const browser = await makeLive(view, state, options.rest ?? defaultRest, () => {
        live.delete(browser)
        return forget(team, pool)
      })
      live.add(browser)
      return browser
    } catch (error) {
      await place?.close()
      forget(team, pool)
      throw error
    }
  }

  /** The process of a team ends a moment after its last session. */
  const forget = (team: string, pool: Pool): void => {
    const isUnused = (): boolean => pool.hosts.every(({ places }) => places === 0)
    if (!isUnused()) return
    pool.rest()
    const end = (): void => {
      ends.delete(team)
      if (pools.get(team) !== pool || !isUnused()) return
      pools.delete(team)
      void pool.close()
    }
    clearTimeout(ends.get(team))
    ends.set(team, setTimeout(end, idle).unref())
  }

  return {
    open,
    close: async () => {
      isClosed = true
      for (const timer of ends.values()) clearTimeout(timer)
      await Promise.all([...live].map((one) => one.close()))
      await Promise.all([...pools.values()].map((pool) => pool.close()))
      browsers.close()
    },
  }
}
