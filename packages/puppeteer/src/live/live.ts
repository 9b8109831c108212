import type { Json, LiveBrowser, Screen, Tab, Viewer, Wire } from '@harvestman/ports'

import type { Running } from '../chromium/running.ts'
import { openFence, type Fenced } from '../fence/fence.ts'
import { makePageSettings } from '../fence/page-settings.ts'
import { makePictures } from '../fence/pictures.ts'
import { browserFailed } from '../lib/errors.ts'
import { race } from '../lib/race.ts'
import { mobileScreen } from '../profile/identity.ts'
import { bringState, saveState } from '../tab/state.ts'
import { makeTab } from '../tab/tab.ts'
import { setUpContext, type View } from '../tab/view.ts'
import { act, type Refs } from './act.ts'
import { callPage } from './call.ts'
import { makeContexts } from './contexts.ts'
import { makeDownloads } from './downloads.ts'
import { makeLiveTabs, type LiveTabs } from './tabs.ts'
import { makeScreens, type Screens } from './screen.ts'
import { makeRest, type Rest } from '../fence/rest.ts'
import { makeRevival, type Revival } from './revival.ts'
import { readSnapshot } from './snapshot.ts'

const none: Refs = new Map()

export interface LiveOptions {
  /** The saved state of an earlier session. */
  readonly state: Json | undefined
  /** Time without use after which pages are hidden, in milliseconds. */
  readonly quiet: number
  /** Time after which an unresponsive page is killed, in milliseconds. */
  readonly unresponsive: number
  /** Called with the error of a failed connection. */
  readonly onFault: (fault: unknown) => void
}

const maxClients = 32

/**
 * Opens a live browser on a page that stays open between calls. It ends when its browser process ends. Rejects if the browser
 * fails. `connect` rejects with `browser_failed` for more than 32 clients.
 */
export async function makeLive(view: View, { state, quiet, unresponsive, onFault }: LiveOptions): Promise<LiveBrowser> {
  const { place } = view
  const { running } = place
  const { connection, folder } = running
  const ended = new AbortController()
  const lose = (): void => ended.abort(running.closed.reason)
  running.closed.addEventListener('abort', lose, { once: true })
  const line = await running.openLine()
  line.onFault = onFault
  const contexts = makeContexts(place, (id) => setUpContext(connection, id, view.profile))
  const downloads = makeDownloads({ connection, folder, onAllowed: (isAllowed) => (place.mayDownload = isAllowed) })
  const liveTabs = await makeLiveTabs(line, contexts, () => running.lastEnd())
  const screens = makeScreens(liveTabs)
  const rest = makeRest(quiet)
  rest.follow(liveTabs)
  let refs = none
  const revival = makeRevival({
    ...{ liveTabs, limit: unresponsive, isUsed: () => rest.isUsed },
    onEnd: () => (refs = none),
  })
  const shared = sharedByClients(view)
  const fenced = { ...shared, contexts, downloads, rest, isReviving: revival.isReviving, show: liveTabs.show, onFault }
  const connect = makeConnect(running, fenced, ended.signal)
  await bringState(view, state)
  const tab: Tab = { ...makeTab(view, async () => undefined), url: () => shownUrl(liveTabs) }
  const { during, whenAwake } = makeUses(rest, revival, ended.signal)

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    running.closed.removeEventListener('abort', lose)
    ended.abort(browserFailed('The live browser was closed.'))
    revival.end()
    rest.end()
    screens.close()
    liveTabs.close()
    await tab.close()
    await place.close()
  }

  return {
    tab,
    gone: ended.signal,
    connect: async () => {
      await race(revival.check(), ended.signal)
      return connect()
    },
    awake: (signal) => whenAwake(signal, async () => undefined),
    takeNotes: revival.takeNotes,
    use: () => rest.use(),
    watch: (viewer) => watch(screens, rest, viewer),
    snapshot: (signal) =>
      whenAwake(signal, async () => {
        const { shown, refs: now } = await readSnapshot(liveTabs)
        refs = now
        return shown
      }),
    act: (action, signal) => whenAwake(signal, () => act(liveTabs, refs, action)),
    call: (script, args, signal) => whenAwake(signal, () => callPage(liveTabs, script, args)),
    save: (signal) => during(signal, () => saveState(view, liveTabs.page, state)),
    close: () => (closing ??= close()),
  }
}

/** Returns the state that the clients of a live browser share, in addition to its tabs. */
function sharedByClients({ place, profile }: View): Pick<Fenced, 'credentials' | 'pictures' | 'settings' | 'secrets'> {
  const { username, password, secrets } = place.route
  const pictures = makePictures(profile.mobile ? mobileScreen.deviceScaleFactor : 1)
  return { credentials: { username, password }, pictures, settings: makePageSettings(), secrets }
}

type During = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** Returns two ways to work with the pages: as they are, or after all of them have responded. */
function makeUses(rest: Rest, revival: Revival, gone: AbortSignal): { during: During; whenAwake: During } {
  const during: During = async (signal, work) => {
    signal.throwIfAborted()
    gone.throwIfAborted()
    const done = await rest.use()
    return race(work(), signal, gone).finally(done)
  }
  const whenAwake: During = (signal, work) =>
    during(signal, async () => {
      await revival.check()
      return work()
    })
  return { during, whenAwake }
}

/** Returns the URL of the tab in front, even if its page does not respond. */
async function shownUrl(liveTabs: LiveTabs): Promise<string> {
  const page = await liveTabs.page()
  const { entries, currentIndex } = await page.send('Page.getNavigationHistory')
  return (entries as readonly { readonly url: string }[])[Number(currentIndex)]?.url ?? 'about:blank'
}

/** Returns a function that opens connections for clients, up to a limit, until the browser is gone. */
function makeConnect(running: Running, fenced: Fenced, gone: AbortSignal): LiveBrowser['connect'] {
  const clients = new Set<Wire>()
  gone.addEventListener('abort', () => {
    for (const wire of clients) {
      wire.close()
      wire.onClose?.()
    }
  })
  return async () => {
    gone.throwIfAborted()
    if (clients.size >= maxClients) throw browserFailed(`A live browser has at most ${maxClients} clients. Close one.`)
    const wire = await openFence(await running.openLine(), fenced, () => clients.delete(wire))
    clients.add(wire)
    return wire
  }
}

/** Keeps the pages visible while they are watched. */
async function watch(screens: Screens, rest: Rest, viewer: Viewer): Promise<Screen> {
  const done = await rest.use()
  try {
    const { input, close } = await screens.watch(viewer)
    const leave = (): void => {
      close()
      done()
    }
    return { input, close: leave }
  } catch (error) {
    done()
    throw error
  }
}
