import type { Json, LiveBrowser, Screen, Viewer, Wire } from '@harvestman/ports'

import type { Running } from '../chromium/running.ts'
import { openFence, type Fenced } from '../fence/fence.ts'
import { makePictures } from '../fence/pictures.ts'
import { browserFailed } from '../lib/errors.ts'
import { race } from '../lib/race.ts'
import { mobileScreen } from '../profile/identity.ts'
import { makeTab } from '../tab/tab.ts'
import { setUpContext, type View } from '../tab/view.ts'
import { act, type Refs } from './act.ts'
import { makeContexts } from './contexts.ts'
import { makeDownloads } from './downloads.ts'
import { makeLiveTabs } from './tabs.ts'
import { makeScreens, type Screens } from './screen.ts'
import { makeRest, type Rest } from '../fence/rest.ts'
import { readSnapshot } from './snapshot.ts'
import { bringState, saveState } from './state.ts'

const none: Refs = new Map()

export interface LiveOptions {
  /** What an earlier session left. */
  readonly state: Json | undefined
  /** Milliseconds after which pages rest that nothing is done with. */
  readonly quiet: number
  /** Told of what broke in a connection. */
  readonly onFault: (fault: unknown) => void
}

const mostClients = 32

/** A page that stays, with all that can be done to it from outside. */
export async function makeLive(view: View, { state, quiet, onFault }: LiveOptions): Promise<LiveBrowser> {
  const { place } = view
  const { running, contextId } = place
  const gone = new AbortController()
  const lose = (): void => gone.abort(running.gone.reason)
  running.gone.addEventListener('abort', lose, { once: true })
  const line = await running.openLine()
  line.onFault = onFault
  const contexts = makeContexts(place, (id) => setUpContext(running.connection, id, view.profile))
  const downloads = makeDownloads({
    connection: running.connection,
    folder: running.folder,
    onAllowed: (isAllowed) => (place.mayDownload = isAllowed),
  })
  const liveTabs = await makeLiveTabs(line, contexts)
  const screens = makeScreens(liveTabs)
  const rest = makeRest(quiet)
  rest.follow(liveTabs)
  const pictures = makePictures(view.profile.mobile ? mobileScreen.deviceScaleFactor : 1)
  const { username, password, secrets } = place.route
  const credentials = { username, password }
  const fenced = { contexts, downloads, credentials, rest, pictures, secrets, show: liveTabs.show, onFault }
  const connect = makeConnect(running, fenced, gone.signal)
  await bringState(view, line, state)
  const tab = makeTab(view, async () => undefined)
  let refs = none

  const during = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    gone.signal.throwIfAborted()
    const done = await rest.use()
    return race(work(), signal, gone.signal).finally(done)
  }

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    running.gone.removeEventListener('abort', lose)
    gone.abort(browserFailed('The live browser was closed.'))
    rest.end()
    screens.close()
    liveTabs.close()
    await tab.close()
    await place.close()
  }

  return {
    tab,
    gone: gone.signal,
    connect,
    use: () => rest.use(),
    watch: (viewer) => watch(screens, rest, viewer),
    snapshot: (signal) =>
      during(signal, async () => {
        const { shown, refs: now } = await readSnapshot(liveTabs)
        refs = now
        return shown
      }),
    act: (action, signal) => during(signal, () => act(liveTabs, refs, action)),
    save: (signal) => during(signal, () => saveState(line, contextId, liveTabs, state)),
    close: () => (closing ??= close()),
  }
}

/** Opens connections for clients, so many at once, until the browser is gone. */
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
    if (clients.size >= mostClients)
      throw browserFailed(`A live browser has at most ${mostClients} clients. Close one.`)
    const wire = await openFence(await running.openLine(), fenced, () => clients.delete(wire))
    clients.add(wire)
    return wire
  }
}

/** Pages that are watched do not rest. */
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
