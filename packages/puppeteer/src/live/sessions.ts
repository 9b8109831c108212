import { EngineError, type Guard, type LiveBrowser, type Sessions, type SessionWish } from '@harvestman/ports'

import { starter } from '../chromium/starter.ts'
import { openEgress } from '../egress/egress.ts'
import { race } from '../lib/race.ts'
import { defaultRest, defaultUnresponsive, type PuppeteerOptions } from '../lib/options.ts'
import { makePool } from '../pool/pool.ts'
import { disguiseOf, wantOf } from '../pool/wish.ts'
import { openView } from '../tab/view.ts'
import { makeLive } from './live.ts'

const ignore = (): void => undefined

/**
 * Creates live browsers, each with its own process. `open` rejects if no browser can be started, with the signal's reason, and
 * after `close` with `closed`.
 */
export function makeSessions(guard: Guard, options: PuppeteerOptions): Sessions {
  const browsers = starter(options, { isLive: true })
  const closers = new Set<() => Promise<void>>()
  let isClosed = false

  const open = async (
    { profile, state, scripts = [], onFault = ignore }: SessionWish,
    signal: AbortSignal,
  ): Promise<LiveBrowser> => {
    if (isClosed) throw new EngineError('closed', 'The browser was closed.')
    const pool = makePool(browsers, () => openEgress(guard, { host: options.reachableAt }), options)
    let live: LiveBrowser | undefined
    const end = async (): Promise<void> => {
      closers.delete(end)
      await live?.close()
      await pool.close()
    }
    closers.add(end)
    const shown = { ...profile, pictures: true }
    try {
      const place = await pool.open(wantOf(shown), signal)
      const view = await race(
        openView(place, guard, disguiseOf(shown, place), { isLive: true, scripts }),
        signal,
        place.broken,
      )
      const { rest: quiet = defaultRest, unresponsive = defaultUnresponsive } = options
      live = await makeLive(view, { state, quiet, unresponsive, onFault })
      return { ...live, close: end }
    } catch (error) {
      await end()
      throw error
    }
  }

  return {
    open,
    close: async () => {
      isClosed = true
      await Promise.all([...closers].map((end) => end()))
      browsers.close()
    },
  }
}
