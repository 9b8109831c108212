import { EngineError } from '@harvestman/ports'

import type { Starter } from '../chromium/starter.ts'
import type { Egress } from '../egress/egress.ts'
import type { RouteOptions } from '../egress/route.ts'
import { race } from '../lib/race.ts'
import type { PuppeteerOptions } from '../lib/options.ts'
import { makeFleet } from './fleet.ts'
import type { Host } from './host.ts'
import type { Place } from './place.ts'

/** Keeps browsers running, and opens places in them. */
export interface Pool {
  open(want: Want, signal: AbortSignal): Promise<Place>
  /** Counts another page in an open place, and keeps its browser and this process alive. */
  useAgain(place: Place): void
  /** Returns whether the place's browser accepts further pages. */
  mayGoOn(place: Place): boolean
  /** Must be called when no tab is open, even if idle places remain. Browsers then no longer keep this process alive. */
  rest(): void
  /** The running browsers. */
  readonly hosts: readonly Host[]
  close(): Promise<void>
}

export interface Want extends RouteOptions {
  /** Whether images are loaded. Browsers that load none are separate. */
  readonly pictures: boolean
}

/**
 * Creates a pool that opens pages in running browsers, and retries if a browser ends while a page is opened. `open` rejects
 * with the signal's reason, with `closed` after `close`, and if no browser can be started.
 */
export function makePool(starter: Starter, openEgress: () => Promise<Egress>, options: PuppeteerOptions): Pool {
  const closing = new AbortController()
  const fleet = makeFleet(starter, openEgress, options, closing.signal)

  /** Returns a running browser. Retries once if it has just ended. If there are several endpoints, tries another one. */
  const livingHost = async (pictures: boolean): Promise<Host> => {
    for (let triesLeft = starter.choices; ; triesLeft -= 1) {
      const request = { pictures, where: starter.choose(fleet.placesAt) }
      const known = fleet.hostFor(request)
      try {
        const host = await known
        if (!host.running.closed.aborted) return host
        fleet.drop(request, known)
        if (triesLeft <= 1) return await fleet.hostFor({ pictures, where: starter.choose(fleet.placesAt) })
      } catch (error) {
        if (triesLeft <= 1 || closing.signal.aborted) throw error
      }
    }
  }

  const openIn = async (host: Host, want: Want, signal: AbortSignal): Promise<Place> => {
    fleet.use(host)
    const done = (): void => fleet.leave(host)
    const opening = host.open(want, done)
    try {
      return await race(opening, signal, closing.signal)
    } catch (error) {
      opening.then((place) => place.close(), done)
      throw error
    }
  }

  const hostOf = ({ running }: Place): Host | undefined => fleet.hosts.find((host) => host.running === running)

  return {
    get hosts() {
      return fleet.hosts
    },
    useAgain: (place) => {
      hostOf(place)?.useAgain()
      place.running.keepAlive(true)
    },
    mayGoOn: (place) => {
      const host = hostOf(place)
      return host !== undefined && !closing.signal.aborted && fleet.mayGoOn(host)
    },
    rest: () => {
      for (const { running } of fleet.hosts) running.keepAlive(false)
    },
    open: async (want, signal) => {
      closing.signal.throwIfAborted()
      const host = await race(livingHost(want.pictures), signal, closing.signal)
      try {
        return await openIn(host, want, signal)
      } catch (error) {
        if (!host.running.closed.aborted || signal.aborted || closing.signal.aborted) throw error
        return openIn(await race(livingHost(want.pictures), signal, closing.signal), want, signal)
      }
    },
    close: () => {
      closing.abort(new EngineError('closed', 'The browser was closed.'))
      return fleet.close()
    },
  }
}
