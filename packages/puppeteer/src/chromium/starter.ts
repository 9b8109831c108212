import { EngineError } from '@harvestman/core'

import { findBrowser, noBrowser } from '../find.ts'
import { defaultLiveNice, defaultPageMemory, type PuppeteerOptions } from '../options.ts'
import type { Start } from '../pool/pool.ts'
import { reach } from './endpoint.ts'
import { launch } from './launch.ts'
import { reap } from './reap.ts'
import type { Running } from './running.ts'

/** Starts a browser, or reaches the one that the options name. */
export function starter(options: PuppeteerOptions, { isLive = false } = {}): Start {
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
    const pageMemory = options.pageMemory ?? defaultPageMemory
    const sandbox = options.sandbox ?? process.getuid?.() !== 0
    const nice = options.nice ?? (isLive ? defaultLiveNice : 0)
    const wish = { ...found, proxy: egress.address, pictures, sandbox, pageMemory, nice, hiddenWait: isLive }
    return launch(wish, signal)
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
