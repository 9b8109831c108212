import type { BrowserProfile, Guard } from '@harvestman/ports'

import { tell, type Connection, type Session } from '../lib/cdp.ts'
import { browserFailed } from '../lib/errors.ts'
import { desktopFonts } from '../lib/fonts.ts'
import { maxTabs } from '../lib/options.ts'
import { isGoodWithin, race } from '../lib/race.ts'
import type { Place } from '../pool/place.ts'
import { disguisePage, disguiseWorker, type Disguise } from '../profile/apply.ts'
import { makeDocuments, type Documents, holdWindow } from './documents.ts'
import { makeFrames, type Frame, type Frames } from './frames.ts'
import { makeNetwork, type Network } from './network.ts'
import { runScript } from './traffic.ts'

/** The state that all operations of a tab share. */
export interface View {
  readonly place: Place
  readonly profile: BrowserProfile
  readonly guard: Guard
  readonly session: Session
  readonly frames: Frames
  readonly network: Network
  readonly documents: Documents
  /** Number of documents that the main frame has shown. */
  readonly visits: number
  /** Adds a warning for the caller, unless it is already there. */
  note(sentence: string): void
  readonly notes: readonly string[]
  /** Number of tabs that have used this page, after the first. */
  readonly uses: number
  /** Prepares the page for another tab of the same group. Returns whether it can be reused. */
  tidy(): Promise<boolean>
  /** Leaves the document, so that an idle page does nothing. */
  rest(): Promise<void>
  /** Returns whether the page responds. A page whose script runs forever cannot navigate. */
  isAwake(): Promise<boolean>
  /** Waits for an operation. Rejects when the caller's signal is aborted or the page crashes. */
  during<T>(signal: AbortSignal, work: Promise<T>): Promise<T>
}

/** Options of a page. */
export interface ViewOptions {
  /** Whether it belongs to a live browser. Default: `false`. */
  readonly isLive?: boolean
  /** Expressions that run in each new document, before the scripts of the page. */
  readonly scripts?: readonly string[]
}

const maxPopups = 5
const maxNotes = 20
const answersWithin = 1_000
const dialogsWait = 2_000

/**
 * Sets up a page: dialogs and popups cannot block it, and all its frames and workers have the same settings. With `isLive`,
 * its windows become tabs of the session. Rejects if the browser fails.
 */
export async function openView(place: Place, guard: Guard, disguise: Disguise, given: ViewOptions = {}): Promise<View> {
  const options = { isLive: false, scripts: [], ...given }
  const { session, targetId, route } = place
  const { profile } = disguise
  const notes = new Set<string>()
  const note = (sentence: string): void => void (notes.size < maxNotes && notes.add(sentence))
  let visits = 0
  let uses = 0
  const network = makeNetwork()
  const frames = makeFrames(targetId, session, (frame: Frame) => {
    if (frame.id !== targetId) return
    visits += 1
    windows.begin()
  })
  const mayDownload = (): boolean => place.mayDownload
  const documents = makeDocuments({ profile, guard, route, mainFrame: targetId, mayDownload, note })
  const windows = meetWindows(place, disguise, note, options)
  await Promise.all([
    prepare(session, 'page', { ...options, place, disguise, note, network, frames, documents }),
    setUpContext(place.running.connection, place.contextId, profile),
  ])
  return {
    place,
    profile,
    guard,
    session,
    frames,
    network,
    documents,
    get visits() {
      return visits
    },
    note,
    get notes() {
      return [...notes]
    },
    get uses() {
      return uses
    },
    tidy: async () => {
      uses += 1
      notes.clear()
      network.forget()
      documents.takeFile()
      documents.takeRefusal()
      const stopping = Promise.all([session.send('Page.stopLoading'), windows.close()])
      return (await isGoodWithin(answersWithin, stopping)) && !place.broken.aborted
    },
    rest: async () => {
      const leaving = session.send('Page.navigate', { url: 'about:blank' })
      if (!(await isGoodWithin(answersWithin, leaving))) throw browserFailed('The page could not be closed.')
    },
    isAwake: async () => {
      const answering = session.send('Runtime.evaluate', { expression: '0' })
      return (await isGoodWithin(answersWithin, answering)) && !place.broken.aborted
    },
    during: (signal, work) => race(work, signal, place.broken),
  }
}

interface Preparing extends Pick<View, 'place' | 'note' | 'network' | 'frames' | 'documents'>, Required<ViewOptions> {
  readonly disguise: Disguise
}

/** Sets up a page or an out-of-process frame before it runs. */
async function prepare(target: Session, kind: 'page' | 'frame', preparing: Preparing): Promise<void> {
  const { place, disguise, note, isLive, scripts, network, documents } = preparing
  network.follow(target)
  answerDialogs(target, note, isLive)
  await Promise.all([
    documents.follow(target),
    disguisePage(target, disguise, kind),
    adoptChildren(target, preparing),
    place.running.kind === 'remote' && closeWebRtc(target),
    disguise.profile.traffic && runScript(target, disguise.profile.traffic),
    isLive && tell(target, 'Page.setFontFamilies', desktopFonts),
    ...scripts.map((source) => tell(target, 'Page.addScriptToEvaluateOnNewDocument', { source })),
  ])
}

function adoptChildren(parent: Session, preparing: Preparing): Promise<void> {
  const { frames, disguise } = preparing
  parent.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const child = parent.connection()?.session(sessionId)
    if (!child) return
    if (targetInfo.type === 'iframe') {
      frames.move(targetInfo.targetId, child)
      frames.follow(child)
      void prepare(child, 'frame', preparing)
    } else void disguiseWorker(child, disguise)
    void tell(child, 'Runtime.runIfWaitingForDebugger')
  })
  return tell(parent, 'Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
}

interface Windows {
  /** Notes that a document was shown. The first one after `close` resets the number of windows. */
  begin(): void
  /** Closes the windows that the page has opened, and blocks further ones. */
  close(): Promise<unknown>
}

/** Handles the windows that a page opens: limits their number. Only windows of live browsers can be used. */
function meetWindows(
  place: Place,
  disguise: Disguise,
  note: (sentence: string) => void,
  { isLive, scripts }: Required<ViewOptions>,
): Windows {
  const { connection } = place.running
  const open = new Set<string>()
  let [count, isOver] = [0, false]
  const tabs = isLive ? countTabs(place) : undefined
  place.onPopup = (popup, targetId) => {
    count += isLive ? 0 : 1
    if (!isLive)
      note(`The page opened windows of its own; at most ${maxPopups} of them were allowed, and none is shown.`)
    // Windows of the previous tab's page may still arrive.
    if (count > maxPopups || isOver || tabs?.add(popup) === false) {
      // The opening page is blocked until its window runs, even if the window is closed immediately. Requests of the window are
      // intercepted and never continued.
      void tell(popup, 'Fetch.enable')
      void tell(popup, 'Runtime.runIfWaitingForDebugger')
      connection.send('Target.closeTarget', { targetId }).catch(() => undefined)
      return
    }
    if (!isLive) open.add(targetId)
    holdWindow(popup, targetId, disguise.profile)
    void disguisePage(popup, disguise, 'page')
    answerDialogs(popup, note, isLive)
    if (isLive) void tell(popup, 'Page.setFontFamilies', desktopFonts)
    for (const source of scripts) void tell(popup, 'Page.addScriptToEvaluateOnNewDocument', { source })
    void tell(popup, 'Runtime.runIfWaitingForDebugger')
  }
  return {
    begin: () => {
      if (isOver) count = 0
      isOver = false
    },
    close: () => {
      const closing = [...open].map((targetId) => connection.send('Target.closeTarget', { targetId }))
      open.clear()
      isOver = true
      return Promise.allSettled(closing)
    },
  }
}

/** Counts the tabs of a live browser, including those opened by pages. */
function countTabs({ running: { connection } }: Place): { add(page: Session): boolean } {
  // The first page counts too, but is not in this set.
  const tabs = new Set<string>()
  connection.on('Target.detachedFromTarget', ({ sessionId }) => tabs.delete(sessionId))
  return {
    add: (page) => {
      if (tabs.size >= maxTabs - 1) return false
      tabs.add(page.id())
      return true
    },
  }
}

/**
 * Removes WebRTC from a remote browser. Ours are started with flags that keep WebRTC from bypassing the proxy, but others may
 * not be.
 */
function closeWebRtc(session: Session): Promise<void> {
  const source = 'for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name]'
  return tell(session, 'Page.addScriptToEvaluateOnNewDocument', { source })
}

/** Closes dialogs, which would block the page. Only `alert` and leaving a page are confirmed. */
function answerDialogs(session: Session, note: (sentence: string) => void, isLive: boolean): void {
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    if (type !== 'beforeunload' && !isLive) note('The page opened dialogs; they were closed without agreeing.')
    const answer = (): void =>
      void tell(session, 'Page.handleJavaScriptDialog', { accept: type === 'beforeunload' || type === 'alert' })
    // The client of a live browser may want to respond first.
    if (isLive) setTimeout(answer, dialogsWait).unref()
    else answer()
  })
}

/**
 * Sets up a context: downloads are denied, and pages may read the location of the profile, if it has one. Errors are ignored.
 */
export async function setUpContext(
  connection: Connection,
  browserContextId: string,
  { location }: BrowserProfile,
): Promise<void> {
  await Promise.allSettled([
    connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
    location &&
      connection.send('Browser.setPermission', {
        permission: { name: 'geolocation' },
        setting: 'granted',
        browserContextId,
      }),
  ])
}
