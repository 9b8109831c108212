import { EngineError } from '@harvestman/ports'
import type { ControlGroup } from '@harvestman/ports/adapters'

import { findBrowser, noBrowser } from './find.ts'
import { defaultLiveNice, defaultPageMemory, type PuppeteerOptions } from '../lib/options.ts'
import type { Egress } from '../egress/egress.ts'
import { groupMaker, limitsOf } from './bound.ts'
import { waysToConfine, type Confinement } from './confinement.ts'
import { openEndpoints } from './endpoints.ts'
import { launch, type LaunchOptions } from './launch.ts'
import { reap } from './reap.ts'
import type { Running } from './running.ts'

/** Where browsers come from. */
export interface Starter {
  /** As many places may be tried for one page. */
  readonly choices: number
  /** Where the next page goes, by how many are open at each place. */
  choose(placesAt: (where: string) => number): string
  start(wish: StartWish, egress: Egress, signal: AbortSignal): Promise<Running>
  close(): void
}

export interface StartWish {
  readonly pictures: boolean
  /** What `choose` gave. */
  readonly where: string
}

/** Starts a browser, or reaches one of those that the options name. */
export function starter(options: PuppeteerOptions, { isLive = false } = {}): Starter {
  const named = [options.endpoint ?? []].flat()
  if (named.length > 0) return remoteStarter(named, options)
  const startConfined = confiner(options, groupMaker(limitsOf(options, isLive)))
  let isReaped = false
  return {
    choices: 1,
    choose: () => '',
    close: () => undefined,
    start: async ({ pictures }, egress, signal) => {
      const found = findBrowser(options)
      if (!found) throw noBrowser()
      if (!isReaped) reap()
      isReaped = true
      const pageMemory = options.pageMemory ?? defaultPageMemory
      const nice = options.nice ?? (isLive ? defaultLiveNice : 0)
      const wish = { ...found, proxy: egress.address, pictures, pageMemory, nice, hiddenWait: isLive }
      return startConfined(wish, signal)
    },
  }
}

type Start = (wish: Omit<LaunchOptions, 'confinement' | 'makeGroup'>, signal: AbortSignal) => Promise<Running>

/** Starts browsers in the safest way that this machine lets them. The way that worked is taken from then on. */
function confiner({ sandbox, onEvent }: PuppeteerOptions, makeGroup: () => ControlGroup | undefined): Start {
  let known = 0
  let isTold = false
  const tell = ({ pid }: Running, { lacks }: Confinement): void => {
    if (lacks === undefined || isTold) return
    isTold = true
    onEvent?.({ kind: 'unconfined', pid, reason: lacks })
  }
  return async (wish, signal) => {
    const ways = waysToConfine(sandbox)
    for (let index = known; ; index += 1) {
      const confinement = ways[index]
      if (!confinement) throw noWay()
      try {
        const running = await launch({ ...wish, confinement, makeGroup }, signal)
        known = index
        tell(running, confinement)
        return running
      } catch (error) {
        if (signal.aborted || index + 1 >= ways.length) throw error
      }
    }
  }
}

function noWay(): EngineError {
  return new EngineError(
    'browser_failed',
    'The browser cannot have its sandbox here: no user number is free for it. Start this process as a user of its own.',
  )
}

function remoteStarter(named: readonly string[], options: PuppeteerOptions): Starter {
  const endpoints = openEndpoints([...new Set(named)])
  return {
    choices: endpoints.size,
    choose: endpoints.pick,
    close: endpoints.close,
    start: async ({ where }, _, signal) => {
      checkReach(where, options)
      return endpoints.connect(where, signal)
    },
  }
}

/** A browser elsewhere cannot reach a proxy that listens for this machine alone, and would be without a guard. */
function checkReach(endpoint: string, { reachableAt }: PuppeteerOptions): void {
  if (!URL.canParse(endpoint))
    throw new EngineError(
      'not_configured',
      'The endpoint of the browser is no address. Give one as ws://127.0.0.1:9222.',
    )
  const { hostname } = new URL(endpoint)
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (isHere || reachableAt !== undefined) return
  throw new EngineError(
    'not_configured',
    'The browser at this endpoint runs on another machine, so it cannot reach the proxy that guards it. Give reachableAt (HARVESTMAN_REACHABLE_AT): an address of this machine that it can reach.',
    { details: { port: 'browser' } },
  )
}
