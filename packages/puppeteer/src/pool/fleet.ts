import type { Running } from '../chromium/running.ts'
import type { Starter, StartRequest } from '../chromium/starter.ts'
import type { Egress } from '../egress/egress.ts'
import { defaultIdle, defaultRecycle, type BrowserEvent, type PuppeteerOptions } from '../lib/options.ts'
import { makeHost, type Host } from './host.ts'
import { watchHost, wearOf, type Retirement } from './watch.ts'

/** Starts browsers, and retires browsers that are worn out or not needed. */
export interface Fleet {
  readonly hosts: readonly Host[]
  /** Returns the browser for new tabs, which is started if necessary. */
  hostFor(request: StartRequest): Promise<Host>
  /** Discards a result of `hostFor` that is no longer usable. */
  drop(request: StartRequest, known: Promise<Host>): void
  placesAt(where: string): number
  /** Keeps a browser and this process alive for a tab. */
  use(host: Host): void
  /** Must be called when a tab of the browser was closed. */
  leave(host: Host): void
  /** Returns whether the browser accepts further pages. */
  mayGoOn(host: Host): boolean
  close(): Promise<void>
}

interface Known {
  readonly request: StartRequest
  /** When the last tab was closed. `undefined` while a tab is open, and before the first one. */
  idleSince: number | undefined
  isRetired: boolean
}

/**
 * Creates the set of running browsers. It starts and replaces them as needed, and ends those that are idle. `hostFor` rejects
 * if no browser can be started. `closing` aborts starts.
 */
export function makeFleet(
  starter: Starter,
  openEgress: () => Promise<Egress>,
  options: PuppeteerOptions,
  closing: AbortSignal,
): Fleet {
  const tell: Tell = (kind, { pid }, reason) => options.onEvent?.({ kind, pid, reason })
  const hosts = new Map<Host, Known>()
  let egress: Promise<Egress> | undefined

  const launch = async (request: StartRequest): Promise<Host> => {
    egress ??= openEgress()
    const way = await egress
    const running = await starter.start(request, way, closing)
    const host = await makeHost(running, way)
    const known: Known = { request, idleSince: undefined, isRetired: false }
    hosts.set(host, known)
    const forget = (): void => {
      if (!hosts.delete(host)) return
      current.release(host, request)
      tell('gone', running, (running.closed.reason as Error).message)
    }
    running.closed.addEventListener('abort', forget, { once: true })
    if (running.closed.aborted) forget()
    retirement.watch(host, known)
    tell('started', running, running.product)
    return host
  }
  const current = makeCurrent(launch)
  const retirement = makeRetirement(options, tell, current.release)

  return {
    get hosts() {
      return [...hosts.keys()]
    },
    hostFor: current.get,
    drop: current.drop,
    placesAt: (where) => {
      let places = 0
      for (const [host, { request }] of hosts) if (request.where === where) places += host.places
      return places
    },
    use: (host) => {
      host.running.keepAlive(true)
      const known = hosts.get(host)
      if (known) known.idleSince = undefined
    },
    leave: (host) => {
      if (host.places > 0) return
      host.running.keepAlive(false)
      const known = hosts.get(host)
      if (known) retirement.rest(host, known)
    },
    mayGoOn: (host) => hosts.get(host)?.isRetired === false && !retirement.isDue(host),
    close: async () => {
      await current.settled()
      await Promise.all([...hosts.keys()].map(({ running }) => running.close()))
      await egress?.then((way) => way.close())
    },
  }
}

type Tell = (kind: BrowserEvent['kind'], running: Running, reason: string) => void

/** Closes browsers that are worn out or not needed, once all their tabs are closed. */
function makeRetirement(options: PuppeteerOptions, tell: Tell, release: (host: Host, request: StartRequest) => void) {
  const wear = wearOf({ ...defaultRecycle, ...options.recycle })
  const idle = options.idle ?? defaultIdle
  const retire = async (host: Host, known: Known, kind: Retirement, reason: string): Promise<void> => {
    release(host, known.request)
    known.isRetired = true
    if (host.places > 0) return
    tell(kind, host.running, reason)
    await host.running.close()
  }
  return {
    isDue: (host: Host): boolean => wear.ofAge(host) !== undefined,
    /** Called when the last tab was closed. */
    rest: (host: Host, known: Known): void => {
      known.idleSince = performance.now()
      const reason = wear.ofAge(host)
      if (reason) retire(host, known, 'recycled', reason).catch(() => undefined)
    },
    watch: (host: Host, known: Known): void =>
      watchHost(host, {
        tell: (reason) => tell('strangers', host.running, reason),
        wear: () => wear.now(host),
        isIdle: () => host.places === 0 && performance.now() - (known.idleSince ?? Infinity) >= idle,
        retire: (kind, reason) => retire(host, known, kind, reason),
      }),
  }
}

/** The browser that new tabs go to, for each kind of request. */
interface Current extends Pick<Fleet, 'drop'> {
  get(request: StartRequest): Promise<Host>
  /** Directs new tabs to another browser from now on. */
  release(host: Host, request: StartRequest): void
  /** Resolves when no browser is being started. */
  settled(): Promise<unknown>
}

function makeCurrent(launch: (request: StartRequest) => Promise<Host>): Current {
  const current = new Map<string, Promise<Host>>()
  const drop = (request: StartRequest, known: Promise<Host>): void => {
    if (current.get(keyOf(request)) === known) current.delete(keyOf(request))
  }
  return {
    get: (request) => {
      const known = current.get(keyOf(request))
      if (known) return known
      const launching = launch(request)
      current.set(keyOf(request), launching)
      launching.catch(() => drop(request, launching))
      return launching
    },
    drop,
    release: (host, request) => {
      const promise = current.get(keyOf(request))
      promise?.then(
        (known) => known === host && drop(request, promise),
        () => undefined,
      )
    },
    settled: () => Promise.all([...current.values()].map((promise) => promise.catch(() => undefined))),
  }
}

/** Returns the pool key: browsers with and without images are separate, and each endpoint has its own. */
function keyOf({ pictures, where }: StartRequest): string {
  return `${pictures} ${where}`
}
