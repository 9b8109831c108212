import { EngineError } from '@harvestman/core'

import { findBrowser, noBrowser } from '../find.ts'
import { defaultLiveNice, defaultPageMemory, type PuppeteerOptions } from '../options.ts'
import type { Starter } from '../pool/pool.ts'
import { openEndpoints } from './endpoints.ts'
import { launch } from './launch.ts'
import { reap } from './reap.ts'

/** Starts a browser, or reaches one of those that the options name. */
export function starter(options: PuppeteerOptions, { isLive = false } = {}): Starter {
  const named = [options.endpoint ?? []].flat()
  if (named.length > 0) return remoteStarter(named, options)
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
      const sandbox = options.sandbox ?? process.getuid?.() !== 0
      const nice = options.nice ?? (isLive ? defaultLiveNice : 0)
      const wish = { ...found, proxy: egress.address, pictures, sandbox, pageMemory, nice, hiddenWait: isLive }
      return launch(wish, signal)
    },
  }
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
