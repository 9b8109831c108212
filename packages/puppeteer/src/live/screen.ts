import type { Frame, Screen, Viewer } from '@harvestman/ports'
import { makeSequence } from '@harvestman/toolbox/sequence'

import type { LiveTabs, TabPage } from './tabs.ts'
import { takeInput } from './input.ts'

/** Shares one screencast among all viewers of a live browser. It runs only while there is a viewer. */
export interface Screens {
  watch(viewer: Viewer): Promise<Screen>
  close(): void
}

const casting = { format: 'jpeg', quality: 60, maxWidth: 1_280, maxHeight: 1_280, everyNthFrame: 1 }

const titlesEvery = 250

/** Creates the screens of a live browser: each viewer receives pictures of the tab in front as it changes. */
export function makeScreens(liveTabs: LiveTabs): Screens {
  const watching = new Set<Watching>()
  const lookAtTitles = makeTitles(liveTabs)
  const cast = makeCast(liveTabs, (frame) => {
    for (const { give } of watching) give(frame)
    lookAtTitles()
  })
  const changes = makeSequence()

  /** Switches to the tab in front, one step at a time. */
  const follow = (): void => {
    changes.run(() => (watching.size > 0 ? cast.start() : cast.stop())).catch(() => undefined)
  }

  const stopListening = liveTabs.listen(() => {
    for (const { viewer } of watching) viewer.tabs(liveTabs.tabs)
    if (watching.size > 0) follow()
  })

  return {
    watch: async (viewer) => {
      const one = makeWatching(viewer, watching)
      watching.add(one)
      viewer.tabs(liveTabs.tabs)
      // If the page has not changed since, the last frame is still current.
      if (cast.last) one.give({ ...cast.last, at: Date.now() })
      follow()
      await changes.idle()
      return {
        input: async (input) => takeInput(liveTabs, input),
        close: () => {
          watching.delete(one)
          if (watching.size === 0) follow()
        },
      }
    },
    close: () => {
      watching.clear()
      stopListening()
      cast.stop()
    },
  }
}

interface Watching {
  readonly viewer: Viewer
  /** Sends a frame once the previous one was delivered. Skips older frames. */
  give(frame: Frame): void
}

/** Creates a viewer's frame queue, which works until the viewer is removed from the set. */
function makeWatching(viewer: Viewer, watching: Set<Watching>): Watching {
  let next: Frame | undefined
  let isBusy = false
  const leave = (): unknown => watching.delete(one)
  const pump = async (): Promise<void> => {
    while (next && watching.has(one)) {
      const frame = next
      next = undefined
      await viewer.frame(frame).catch(leave)
    }
    isBusy = false
  }
  const one: Watching = {
    viewer,
    give: (frame) => {
      next = frame
      if (isBusy) return
      isBusy = true
      pump().catch(leave)
    },
  }
  return one
}

/** The screencast of the tab in front. */
interface Cast {
  readonly last: Frame | undefined
  start(): Promise<void>
  stop(): void
}

function makeCast(liveTabs: LiveTabs, show: (frame: Frame) => void): Cast {
  let last: Frame | undefined
  let running: { readonly page: TabPage; readonly stop: () => void } | undefined
  const stop = (): void => {
    running?.stop()
    running = undefined
    last = undefined
  }
  const start = async (): Promise<void> => {
    const page = await liveTabs.page()
    if (running?.page.id === page.id) return
    stop()
    const stopListening = page.listen((method, params) => {
      if (method !== 'Page.screencastFrame') return
      page.send('Page.screencastFrameAck', { sessionId: params['sessionId'] }).catch(() => undefined)
      const { deviceWidth: width, deviceHeight: height, timestamp } = params['metadata'] as CastMetadata
      last = { jpeg: Buffer.from(String(params['data']), 'base64'), width, height, at: madeAt(timestamp) }
      show(last)
    })
    running = {
      page,
      stop: () => {
        stopListening()
        page.send('Page.stopScreencast').catch(() => undefined)
      },
    }
    await page.send('Page.startScreencast', casting)
  }
  return {
    get last() {
      return last
    },
    start,
    stop,
  }
}

interface CastMetadata {
  readonly deviceWidth: number
  readonly deviceHeight: number
  /** In seconds since 1970, by the browser's clock. */
  readonly timestamp?: number
}

// A frame takes less time to arrive, in milliseconds. If the difference is larger, the browser's clock is wrong.
const maxLatency = 10_000

function madeAt(timestamp: number | undefined): number {
  const now = Date.now()
  const at = (timestamp ?? 0) * 1_000
  return at <= now && now - at < maxLatency ? at : now
}

/** Returns a function that schedules an update of the tabs' titles. Calls before the update are combined. */
function makeTitles(liveTabs: LiveTabs): () => void {
  let isLooking = false
  const free = (): void => {
    isLooking = false
  }
  return () => {
    if (isLooking) return
    isLooking = true
    setTimeout(() => {
      liveTabs.refresh().then(free, free)
    }, titlesEvery).unref()
  }
}
