import { EngineError } from '@harvestman/ports'

import type { EndedFor } from '../chromium/renderers.ts'
import type { Running } from '../chromium/running.ts'
import { tell, type Connection, type Protocol, type Session } from '../lib/cdp.ts'
import type { Egress } from '../egress/egress.ts'
import type { Route, RouteOptions } from '../egress/route.ts'
import { asBrowserFailure, browserFailed } from '../lib/errors.ts'
import { isDoneWithin, race } from '../lib/race.ts'
import { desktopScreen } from '../profile/identity.ts'
import { presentCredentials } from './credentials.ts'
import type { Place } from './place.ts'

/** A running browser and its open places. */
export interface Host {
  readonly running: Running
  readonly startedAt: number
  /** Number of places that are open or being opened. */
  readonly places: number
  /** Number of pages opened so far, in new and in reused places. */
  readonly served: number
  /** Counts another page in an open place. */
  useAgain(): void
  /** Opens a place. `released` is called when the place is completely closed. */
  open(options: RouteOptions, released: () => void): Promise<Place>
  /** Closes contexts and pages that belong to no place. Returns their number. */
  sweep(): Promise<number>
  /** Returns whether the browser responds within `within` milliseconds. */
  isAwake(within: number): Promise<boolean>
}

const closesWithin = 5_000

/**
 * Prepares a running browser for opening places: pages in contexts of their own, each with a route through the proxy. Rejects
 * if the browser fails. `open` rejects with `browser_failed`, or with `invalid_request` for an invalid URL of the proxy.
 */
export async function makeHost(running: Running, egress: Egress): Promise<Host> {
  const { connection } = running
  const open: OpenPages = { owned: new Map(), arrived: new Map(), opening: 0 }
  let served = 0
  meetPages(running, open)
  await connection.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'page' }, { exclude: true }],
  })
  return {
    running,
    startedAt: performance.now(),
    get places() {
      return new Set(open.owned.values()).size + open.opening
    },
    get served() {
      return served
    },
    useAgain: () => void (served += 1),
    open: async (options, released) => {
      const place = await openPlace(running, egress, options, open, released)
      served += 1
      return place
    },
    sweep: makeSweep(running, open),
    isAwake: async (within) => {
      const beat = connection.send('Browser.getVersion')
      return isDoneWithin(within, beat)
    },
  }
}

/** The open pages of a browser. */
interface OpenPages {
  /** Places by context id. */
  readonly owned: Map<string, Place>
  /** Sessions by target id, for pages that appeared while places were being opened. */
  readonly arrived: Map<string, Session>
  /** Number of places being opened. */
  opening: number
}

/** Hands each new page to the place that owns it. */
function meetPages({ connection }: Running, open: OpenPages): void {
  connection.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
    const session = connection.session(sessionId)
    if (!session || targetInfo.type !== 'page') return
    const { browserContextId = '', targetId, openerId } = targetInfo
    const owner = open.owned.get(browserContextId)
    if (owner?.onPopup && (openerId !== undefined || waitingForDebugger)) owner.onPopup(session, targetId)
    else {
      if (open.opening > 0) open.arrived.set(targetId, session)
      if (waitingForDebugger) void tell(session, 'Runtime.runIfWaitingForDebugger')
    }
  })
}

async function openPlace(
  running: Running,
  egress: Egress,
  options: RouteOptions,
  open: OpenPages,
  released: () => void,
): Promise<Place> {
  const { connection } = running
  const route = egress.open(options)
  open.opening += 1
  let contextId: string | undefined
  try {
    const made = await race(createContext(connection, egress), running.closed)
    contextId = made
    const { targetId, session } = await race(openFirstPage(connection, made, open), running.closed)
    await race(presentCredentials(session, route), running.closed)
    const more = makeMoreContexts(running, egress, route, open, () => place)
    const place = makePlace({ running, route, contextId, targetId, session, ...more }, () => {
      for (const [id, owner] of open.owned) if (owner === place) open.owned.delete(id)
      released()
    })
    open.owned.set(contextId, place)
    return place
  } catch (error) {
    route.close()
    if (contextId)
      connection.send('Target.disposeBrowserContext', { browserContextId: contextId }).catch(() => undefined)
    throw asBrowserFailure(error, 'opening a page')
  } finally {
    open.opening -= 1
    if (open.opening === 0) open.arrived.clear()
  }
}

async function createContext(connection: Connection, { address }: Egress): Promise<string> {
  const { browserContextId } = await connection.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    proxyServer: address,
    proxyBypassList: '<-loopback>',
  })
  return browserContextId
}

/** Opens a page in a context that does not belong to a place yet. */
async function openFirstPage(
  connection: Connection,
  browserContextId: string,
  open: OpenPages,
): Promise<Pick<Place, 'targetId' | 'session'>> {
  const { targetId } = await connection.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    ...desktopScreen,
  })
  const session = open.arrived.get(targetId)
  if (!session) throw browserFailed('The browser opened no page. Scrape the page again.')
  return { targetId, session }
}

/** Opens further contexts of a place. Each gets its proxy credentials before it belongs to the place. */
function makeMoreContexts(
  { connection, closed }: Running,
  egress: Egress,
  route: Route,
  open: OpenPages,
  owner: () => Place,
): Pick<Place, 'openContext' | 'closeContext'> {
  const dispose = async (browserContextId: string): Promise<void> => {
    open.owned.delete(browserContextId)
    await connection.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
  }
  return {
    openContext: async () => {
      open.opening += 1
      let contextId: string | undefined
      try {
        contextId = await race(createContext(connection, egress), closed)
        const { targetId, session } = await race(openFirstPage(connection, contextId, open), closed)
        await race(presentCredentials(session, route), closed)
        await race(connection.send('Target.closeTarget', { targetId }), closed)
        open.owned.set(contextId, owner())
        return contextId
      } catch (error) {
        if (contextId !== undefined) await dispose(contextId)
        throw asBrowserFailure(error, 'opening a context')
      } finally {
        open.opening -= 1
        if (open.opening === 0) open.arrived.clear()
      }
    },
    closeContext: dispose,
  }
}

function makeSweep({ kind, connection }: Running, open: OpenPages): Host['sweep'] {
  const { owned } = open
  let strangers = new Set<string>()
  return async () => {
    // A remote browser may have pages of other clients.
    if (kind === 'remote') return 0
    const [{ browserContextIds }, { targetInfos }] = await Promise.all([
      connection.send('Target.getBrowserContexts'),
      connection.send('Target.getTargets', { filter: [{ type: 'page' }, { exclude: true }] }),
    ])
    const unowned = [
      ...browserContextIds.filter((id) => !owned.has(id)).map((id) => `context ${id}`),
      ...targetInfos.filter(({ browserContextId = '' }) => !owned.has(browserContextId)).map(targetKey),
    ]
    // A page that is seen for the first time may be about to get an owner or to be closed.
    const lost = open.opening > 0 ? [] : unowned.filter((key) => strangers.has(key))
    strangers = new Set(unowned)
    for (const key of lost) {
      const [kind, id = ''] = key.split(' ')
      const closing =
        kind === 'context'
          ? connection.send('Target.disposeBrowserContext', { browserContextId: id })
          : connection.send('Target.closeTarget', { targetId: id })
      await closing.catch(() => undefined)
    }
    return lost.length
  }
}

function targetKey({ targetId }: Protocol.Target.TargetInfo): string {
  return `target ${targetId}`
}

const endings: Readonly<Record<EndedFor, string>> = {
  memory:
    'The page exceeded the memory limit of one page in the browser, and its tab was ended. Load it without actions and screenshots, or raise pageMemory.',
  limits:
    'The pages of the browser exceeded its memory limit, and the tab of this page was ended. Load it without actions and screenshots, or raise limits.memory.',
  silence: 'The page blocked the whole browser, and its tab was ended. Load it without actions and screenshots.',
}

type PlaceParts = Omit<Place, 'broken' | 'mayDownload' | 'onPopup' | 'close'>

function makePlace(parts: PlaceParts, release: () => void): Place {
  const { running, route, session, contextId } = parts
  let broken = new AbortController()
  let closing: Promise<void> | undefined
  const lose = (): void => broken.abort(running.closed.reason)
  const end = (sentence: string): void => broken.abort(browserFailed(sentence))
  session.on('Inspector.targetCrashed', () => {
    const why = running.whyEnded()
    if (why) broken.abort(new EngineError('page_too_complex', endings[why]))
    else end('The page crashed the browser. It may need more memory than there is.')
  })
  // A live browser opens the page again.
  session.on('Inspector.targetReloadedAfterCrash', () => {
    if (!closing && !running.closed.aborted) broken = new AbortController()
  })
  const detached = (event: Protocol.Target.DetachedFromTargetEvent): void => {
    if (event.sessionId === session.id()) end('The page was closed by the browser. Scrape the page again.')
  }
  running.connection.on('Target.detachedFromTarget', detached)
  running.closed.addEventListener('abort', lose, { once: true })
  const close = async (): Promise<void> => {
    running.closed.removeEventListener('abort', lose)
    running.connection.off('Target.detachedFromTarget', detached)
    end('The tab was closed.')
    route.close()
    const disposal = running.connection
      .send('Target.disposeBrowserContext', { browserContextId: contextId })
      .catch(() => undefined)
    const isDisposed = (): Promise<boolean> => isDoneWithin(closesWithin, disposal)
    // Most likely one page keeps the browser busy. Killing that page lets the others continue.
    const isDone = running.closed.aborted || (await isDisposed()) || (running.endBusiest() && (await isDisposed()))
    release()
    if (!isDone) await running.kill('The browser did not close a page in time, and was ended.')
  }
  return {
    ...parts,
    get broken() {
      return broken.signal
    },
    mayDownload: false,
    onPopup: undefined,
    close: () => (closing ??= close()),
  }
}
