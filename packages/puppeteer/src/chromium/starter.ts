import { EngineError } from '@harvestman/ports'
import type { ControlGroup } from '@harvestman/toolbox/control-groups/groups'

import { findBrowser, noBrowser } from './find.ts'
import { defaultLiveNice, defaultPageMemory, type PuppeteerOptions } from '../lib/options.ts'
import type { Egress } from '../egress/egress.ts'
import { groupMaker, limitsOf } from './bound.ts'
import { waysToConfine, type Confinement } from './confinement.ts'
import { openEndpoints } from './endpoints.ts'
import { launch, type LaunchOptions } from './launch.ts'
import { reap } from './reap.ts'
import type { Running } from './running.ts'

/** Starts or connects to browsers. */
export interface Starter {
  /** Number of endpoints that may be tried for a page. */
  readonly choices: number
  /** Chooses where to open the next page, given the number of open pages by place. */
  choose(placesAt: (where: string) => number): string
  start(request: StartRequest, egress: Egress, signal: AbortSignal): Promise<Running>
  close(): void
}

export interface StartRequest {
  readonly pictures: boolean
  /** The result of `choose`. */
  readonly where: string
}

/**
 * Creates a starter that launches local browsers, or connects to the endpoints in the options. `start` rejects with
 * `not_configured` if no browser is installed, or an endpoint is not a URL or could not reach the proxy, with `browser_failed`
 * if the browser does not start or respond, and with the signal's reason.
 */
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
      isReaped ||= tryToReap()
      const pageMemory = options.pageMemory ?? defaultPageMemory
      const nice = options.nice ?? (isLive ? defaultLiveNice : 0)
      const launchOptions = { ...found, proxy: egress.address, pictures, pageMemory, nice, hiddenWait: isLive }
      return startConfined(launchOptions, signal)
    },
  }
}

/** Returns whether the folders of earlier processes were checked. If they cannot be read, the start explains why. */
function tryToReap(): boolean {
  try {
    reap()
    return true
  } catch {
    return false
  }
}

type Start = (launchOptions: Omit<LaunchOptions, 'confinement' | 'makeGroup'>, signal: AbortSignal) => Promise<Running>

/**
 * Returns a function that starts browsers in the safest way that works on this host, and remembers it. Reports once if some
 * protection is missing.
 */
function confiner({ sandbox, onEvent }: PuppeteerOptions, makeGroup: () => ControlGroup | undefined): Start {
  let known = 0
  let isReported = false
  const tell = ({ pid }: Running, { lacks }: Confinement): void => {
    if (lacks === undefined || isReported) return
    isReported = true
    onEvent?.({ kind: 'unconfined', pid, reason: lacks })
  }
  return async (launchOptions, signal) => {
    const ways = waysToConfine(sandbox)
    for (let index = known; ; index += 1) {
      const confinement = ways[index]
      if (!confinement) throw noWay()
      try {
        const running = await launch({ ...launchOptions, confinement, makeGroup }, signal)
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

/**
 * Throws `not_configured` if a remote browser could not reach the guarding proxy, which by default listens on localhost only.
 */
function checkReach(endpoint: string, { reachableAt }: PuppeteerOptions): void {
  if (!URL.canParse(endpoint))
    throw new EngineError(
      'not_configured',
      'The endpoint of the browser is not a URL. Write it as ws://127.0.0.1:9222.',
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
