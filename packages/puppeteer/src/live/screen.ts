import type { Frame, Screen, Viewer } from '@harvestman/ports'

import type { LiveTabs, TabPage } from './tabs.ts'
import { takeInput } from './input.ts'

/** One screencast for all who watch a live browser. It runs while there is a viewer. */
export interface Screens {
  watch(viewer: Viewer): Promise<Screen>
  close(): void
}

interface Watching {
  readonly viewer: Viewer
  /** What is shown next, once the frame before has arrived. Older ones are left out. */
  next: Frame | undefined
  isBusy: boolean
}

const casting = { format: 'jpeg', quality: 60, maxWidth: 1_280, maxHeight: 1_280, everyNthFrame: 1 }

const titlesEvery = 250

// oxlint-disable-next-line max-lines-per-function -- short steps that share who watches
export function makeScreens(liveTabs: LiveTabs): Screens {
  const watching = new Set<Watching>()
  let last: Frame | undefined
  let cast: { readonly page: TabPage; readonly stop: () => void } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const give = (one: Watching, frame: Frame): void => {
    one.next = frame
    if (one.isBusy) return
    one.isBusy = true
    pump(one).catch(() => watching.delete(one))
  }

  const pump = async (one: Watching): Promise<void> => {
    while (one.next && watching.has(one)) {
      const frame = one.next
      one.next = undefined
      await one.viewer.frame(frame).catch(() => watching.delete(one))
    }
    one.isBusy = false
  }

  const start = async (): Promise<void> => {
    const page = await liveTabs.page()
    if (cast?.page.id === page.id) return
    stop()
    const stopListening = page.listen((method, params) => {
      if (method !== 'Page.screencastFrame') return
      page.send('Page.screencastFrameAck', { sessionId: params['sessionId'] }).catch(() => undefined)
      const { deviceWidth, deviceHeight } = params['metadata'] as { deviceWidth: number; deviceHeight: number }
      last = { jpeg: Buffer.from(String(params['data']), 'base64'), width: deviceWidth, height: deviceHeight }
      for (const one of watching) give(one, last)
      lookAtTitles()
    })
    cast = {
      page,
      stop: () => {
        stopListening()
        page.send('Page.stopScreencast').catch(() => undefined)
      },
    }
    await page.send('Page.startScreencast', casting)
  }

  let isLooking = false
  const lookAtTitles = (): void => {
    if (isLooking) return
    isLooking = true
    const free = (): void => {
      isLooking = false
    }
    setTimeout(() => {
      liveTabs.refresh().then(free, free)
    }, titlesEvery).unref()
  }

  const stop = (): void => {
    cast?.stop()
    cast = undefined
    last = undefined
  }

  /** Goes on with the tab that is in front now. One step at a time. */
  const follow = (): void => {
    turn = turn.then(async () => (watching.size > 0 ? start() : stop())).catch(() => undefined)
  }

  const stopListening = liveTabs.listen(() => {
    for (const { viewer } of watching) viewer.tabs(liveTabs.tabs)
    if (watching.size > 0) follow()
  })

  return {
    watch: async (viewer) => {
      const one: Watching = { viewer, next: undefined, isBusy: false }
      watching.add(one)
      viewer.tabs(liveTabs.tabs)
      if (last) give(one, last)
      follow()
      await turn
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
      stop()
    },
  }
}
