import { EngineError } from '@harvestman/core'

import type { Running } from '../chromium/running.ts'
import type { Egress } from '../egress/egress.ts'
import type { PassageOptions } from '../egress/passage.ts'
import { race } from '../lib/race.ts'
import { defaultIdle, defaultRecycle, heartbeat, type BrowserEvent, type PuppeteerOptions } from '../options.ts'
import { makeHost, type Host } from './host.ts'
import type { Place } from './place.ts'

/** Keeps browsers alive, and opens places in them. */
export interface Pool {
  open(want: Want, signal: AbortSignal): Promise<Place>
  /** Counts another page in a place that is open, and keeps its browser awake. */
  useAgain(place: Place): void
  /** Whether its browser takes further pages. */
  mayGoOn(place: Place): boolean
  /** Says that no tab is open, though places may be kept: the process of the host need not stay for them. */
  rest(): void
  /** Browsers that run. */
  readonly hosts: readonly Host[]
  close(): Promise<void>
}

export interface Want extends PassageOptions {
  /** Browsers that load pictures are others than those that do not. */
  readonly pictures: boolean
}

export type Start = (want: { readonly pictures: boolean }, egress: Egress, signal: AbortSignal) => Promise<Running>

export function makePool(start: Start, openEgress: () => Promise<Egress>, options: PuppeteerOptions): Pool {
  const recycle = { ...defaultRecycle, ...options.recycle }
  const idle = options.idle ?? defaultIdle
  const tell = (kind: BrowserEvent['kind'], { pid }: Running, reason: string): void =>
    options.onEvent?.({ kind, pid, reason })
  const hosts = new Set<Host>()
  const retired = new WeakSet<Host>()
  const current = new Map<boolean, Promise<Host>>()
  const idleSince = new Map<Host, number>()
  const closing = new AbortController()
  let egress: Promise<Egress> | undefined

  const launch = async (pictures: boolean): Promise<Host> => {
    egress ??= openEgress()
    const way = await egress
    const running = await start({ pictures }, way, closing.signal)
    const host = await makeHost(running, way)
    hosts.add(host)
    running.gone.addEventListener('abort', () => forget(host, pictures), { once: true })
    if (running.gone.aborted) forget(host, pictures)
    watch(host, pictures)
    tell('started', running, running.product)
    return host
  }

  const forget = (host: Host, pictures: boolean): void => {
    if (!hosts.delete(host)) return
    idleSince.delete(host)
    release(host, pictures)
    tell('gone', host.running, (host.running.gone.reason as Error).message)
  }

  /** New tabs go elsewhere from now on. */
  const release = (host: Host, pictures: boolean): void => {
    const promise = current.get(pictures)
    promise?.then(
      (known) => known === host && current.get(pictures) === promise && current.delete(pictures),
      () => undefined,
    )
  }

  const hostFor = (pictures: boolean): Promise<Host> => {
    const known = current.get(pictures)
    if (known) return known
    const launching = launch(pictures)
    current.set(pictures, launching)
    launching.catch(() => current.get(pictures) === launching && current.delete(pictures))
    return launching
  }

  const tooOld = ({ served, startedAt }: Host): string | undefined => {
    if (served >= recycle.pages) return `It has opened ${served} pages.`
    return performance.now() - startedAt >= recycle.age ? 'It has lived long enough.' : undefined
  }

  const wornOut = (host: Host): string | undefined =>
    tooOld(host) ?? (host.running.memory() >= recycle.memory ? 'Its processes hold too much memory.' : undefined)

  const retire = async (host: Host, pictures: boolean, kind: 'recycled' | 'idle', reason: string): Promise<void> => {
    release(host, pictures)
    retired.add(host)
    if (host.places > 0) return
    tell(kind, host.running, reason)
    await host.running.close()
  }

  const watch = (host: Host, pictures: boolean): void => {
    let beats = 0
    let isLooking = false
    const look = async (): Promise<void> => {
      if (!(await host.isAwake(heartbeat.within))) {
        return host.running.kill('The browser stopped answering and was ended. Scrape the page again.')
      }
      const strangers = ++beats % 3 === 0 ? await host.sweep() : 0
      if (strangers > 0) tell('strangers', host.running, `${strangers} pages without an owner were closed.`)
      const reason = wornOut(host)
      if (reason) return retire(host, pictures, 'recycled', reason)
      const since = idleSince.get(host)
      if (since !== undefined && host.places === 0 && performance.now() - since >= idle) {
        await retire(host, pictures, 'idle', 'It was not needed.')
      }
    }
    const timer = setInterval(() => {
      if (isLooking) return
      isLooking = true
      look()
        .catch(() => undefined)
        .finally(() => (isLooking = false))
    }, heartbeat.every)
    timer.unref()
    host.running.gone.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  /** One that went away a moment ago is asked for once more; one that cannot be started is not. */
  const livingHost = async (pictures: boolean): Promise<Host> => {
    const known = hostFor(pictures)
    const host = await known
    if (!host.running.gone.aborted) return host
    if (current.get(pictures) === known) current.delete(pictures)
    return hostFor(pictures)
  }

  const openIn = async (host: Host, want: Want, signal: AbortSignal): Promise<Place> => {
    host.running.keepAlive(true)
    idleSince.delete(host)
    const done = (): void => {
      if (host.places > 0) return
      idleSince.set(host, performance.now())
      host.running.keepAlive(false)
      const reason = hosts.has(host) ? tooOld(host) : undefined
      if (reason) retire(host, want.pictures, 'recycled', reason).catch(() => undefined)
    }
    const opening = host.open(want, done)
    try {
      return await race(opening, signal, closing.signal)
    } catch (error) {
      opening.then((place) => place.close(), done)
      throw error
    }
  }

  const hostOf = ({ running }: Place): Host | undefined => [...hosts].find((host) => host.running === running)

  return {
    get hosts() {
      return [...hosts]
    },
    useAgain: (place) => {
      hostOf(place)?.useAgain()
      place.running.keepAlive(true)
    },
    mayGoOn: (place) => {
      const host = hostOf(place)
      return host !== undefined && !closing.signal.aborted && !retired.has(host) && tooOld(host) === undefined
    },
    rest: () => {
      for (const { running } of hosts) running.keepAlive(false)
    },
    open: async (want, signal) => {
      closing.signal.throwIfAborted()
      const host = await race(livingHost(want.pictures), signal, closing.signal)
      try {
        return await openIn(host, want, signal)
      } catch (error) {
        if (!host.running.gone.aborted || signal.aborted || closing.signal.aborted) throw error
        return openIn(await race(livingHost(want.pictures), signal, closing.signal), want, signal)
      }
    },
    close: async () => {
      closing.abort(new EngineError('closed', 'The browser was closed.'))
      await Promise.all([...current.values()].map((promise) => promise.catch(() => undefined)))
      await Promise.all([...hosts].map(({ running }) => running.close()))
      await egress?.then((way) => way.close())
    },
  }
}
