import { EngineError } from '@harvestman/ports'

import type { Running } from '../chromium/running.ts'
import type { Starter, StartWish } from '../chromium/starter.ts'
import type { Egress } from '../egress/egress.ts'
import type { PassageOptions } from '../egress/passage.ts'
import { race } from '../lib/race.ts'
import { defaultIdle, defaultRecycle, type BrowserEvent, type PuppeteerOptions } from '../lib/options.ts'
import { makeHost, type Host } from './host.ts'
import type { Place } from './place.ts'
import { watchHost, wearOf, type Retirement } from './watch.ts'

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

// oxlint-disable-next-line max-lines-per-function -- short steps that share what is known of the browsers
export function makePool(starter: Starter, openEgress: () => Promise<Egress>, options: PuppeteerOptions): Pool {
  const wear = wearOf({ ...defaultRecycle, ...options.recycle })
  const idle = options.idle ?? defaultIdle
  const tell = (kind: BrowserEvent['kind'], { pid }: Running, reason: string): void =>
    options.onEvent?.({ kind, pid, reason })
  const hosts = new Set<Host>()
  const retired = new WeakSet<Host>()
  const current = new Map<string, Promise<Host>>()
  const wishes = new Map<Host, StartWish>()
  const idleSince = new Map<Host, number>()
  const closing = new AbortController()
  let egress: Promise<Egress> | undefined

  const launch = async (wish: StartWish): Promise<Host> => {
    egress ??= openEgress()
    const way = await egress
    const running = await starter.start(wish, way, closing.signal)
    const host = await makeHost(running, way)
    hosts.add(host)
    wishes.set(host, wish)
    running.gone.addEventListener('abort', () => forget(host, wish), { once: true })
    if (running.gone.aborted) forget(host, wish)
    watchHost(host, {
      tell: (reason) => tell('strangers', running, reason),
      wear: () => wear.now(host),
      isIdle: () => host.places === 0 && performance.now() - (idleSince.get(host) ?? Infinity) >= idle,
      retire: (kind, reason) => retire(host, wish, kind, reason),
    })
    tell('started', running, running.product)
    return host
  }

  const forget = (host: Host, wish: StartWish): void => {
    if (!hosts.delete(host)) return
    idleSince.delete(host)
    wishes.delete(host)
    release(host, wish)
    tell('gone', host.running, (host.running.gone.reason as Error).message)
  }

  /** New tabs go elsewhere from now on. */
  const release = (host: Host, wish: StartWish): void => {
    const key = keyOf(wish)
    const promise = current.get(key)
    promise?.then(
      (known) => known === host && current.get(key) === promise && current.delete(key),
      () => undefined,
    )
  }

  const hostFor = (wish: StartWish): Promise<Host> => {
    const key = keyOf(wish)
    const known = current.get(key)
    if (known) return known
    const launching = launch(wish)
    current.set(key, launching)
    launching.catch(() => current.get(key) === launching && current.delete(key))
    return launching
  }

  const retire = async (host: Host, wish: StartWish, kind: Retirement, reason: string): Promise<void> => {
    release(host, wish)
    retired.add(host)
    if (host.places > 0) return
    tell(kind, host.running, reason)
    await host.running.close()
  }

  const placesAt = (where: string): number => {
    let places = 0
    for (const [host, wish] of wishes) if (wish.where === where) places += host.places
    return places
  }

  /** One that went away a moment ago is asked for once more; where there are others, one that cannot be had is not. */
  const livingHost = async (pictures: boolean): Promise<Host> => {
    for (let triesLeft = starter.choices; ; triesLeft -= 1) {
      const wish = { pictures, where: starter.choose(placesAt) }
      const known = hostFor(wish)
      try {
        const host = await known
        if (!host.running.gone.aborted) return host
        if (current.get(keyOf(wish)) === known) current.delete(keyOf(wish))
        if (triesLeft <= 1) return await hostFor({ pictures, where: starter.choose(placesAt) })
      } catch (error) {
        if (triesLeft <= 1 || closing.signal.aborted) throw error
      }
    }
  }

  const openIn = async (host: Host, want: Want, signal: AbortSignal): Promise<Place> => {
    host.running.keepAlive(true)
    idleSince.delete(host)
    const done = (): void => {
      if (host.places > 0) return
      idleSince.set(host, performance.now())
      host.running.keepAlive(false)
      const reason = hosts.has(host) ? wear.ofAge(host) : undefined
      const wish = wishes.get(host)
      if (reason && wish) retire(host, wish, 'recycled', reason).catch(() => undefined)
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
      return host !== undefined && !closing.signal.aborted && !retired.has(host) && wear.ofAge(host) === undefined
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

/** Browsers that load pictures are others than those that do not, and each place has its own. */
function keyOf({ pictures, where }: StartWish): string {
  return `${pictures} ${where}`
}
