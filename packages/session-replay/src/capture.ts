// Takes pictures of a live browser's visible tab, in windows of ten seconds.
import type { Frame, LiveBrowser, LiveTab, Viewer } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { makeSequence } from '@harvestman/toolbox/sequence'

/** A picture with its time, in milliseconds from the start of the session. */
export interface Picture {
  readonly at: number
  readonly jpeg: Uint8Array
}

/** A tab of a session, for the time it was visible. */
export interface ReplayPage {
  /** The tab's last URL. */
  readonly url: string
  readonly start: number
  readonly end: number
  /** Size of the video, in pixels. */
  readonly width: number
  readonly height: number
  /** Numbers of the ten-second windows that have pictures. */
  readonly windows: readonly number[]
}

/** Stores pictures. */
export interface PictureArchive {
  /** Stores the pictures of a ten-second window of a page. */
  add(page: number, window: number, pictures: readonly Picture[]): Promise<void>
  /** Stores the list of pages. */
  list(pages: readonly ReplayPage[]): Promise<void>
}

export interface CaptureOptions {
  readonly live: Pick<LiveBrowser, 'watch'>
  readonly archive: PictureArchive
  readonly now: () => number
  /** Maximum size of all pictures, in bytes. */
  readonly most: number
  /** Called once, with the reason, when nothing more is stored. */
  readonly lost: (sentence: string) => void
}

/** Duration of a window and of a video segment, in milliseconds. */
export const windowLength = 10_000
/** Maximum number of pages per session. Each has its own video, and clients can open any number of tabs. */
const maxPages = 100
const pause = 250
const maxSide = 1_280

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pause))

interface OpenPage {
  readonly tab: string
  url: string
  readonly start: number
  end: number
  readonly width: number
  readonly height: number
  readonly windows: number[]
  waiting: Picture[]
}

/**
 * Takes pictures of the visible tab of a live browser, of up to 100 tabs. Resolves when it has started, to a function that
 * stops it and saves the rest; rejects if the browser cannot be watched. After `most` bytes, or a failed write, `lost` is
 * called with the reason and nothing more is stored.
 */
export async function capture({ live, archive, now, most, lost }: CaptureOptions): Promise<() => Promise<void>> {
  const began = now()
  const pages: OpenPage[] = []
  let shown: LiveTab | undefined
  let [bytes, isOver] = [0, false]
  const writes = makeSequence()
  const stop = (sentence: string): void => {
    if (!isOver) lost(sentence)
    isOver = true
  }
  const write = (work: () => Promise<unknown>): void => {
    void writes.run(work).catch((error: unknown) => stop(errorMessage(error)))
  }
  const save = (page: OpenPage): void => {
    const first = page.waiting[0]
    if (!first) return
    const [pictures, number, window] = [page.waiting, pages.indexOf(page), windowOf(page, first.at)]
    page.waiting = []
    page.windows.push(window)
    write(async () => archive.add(number, window, pictures))
    write(async () => archive.list(pages.map(plain)))
  }
  const take = (frame: Frame): void => {
    const at = now() - began
    const page = pageOf(pages, shown, frame, at)
    if (isOver || !page) return
    bytes += frame.jpeg.length
    if (bytes > most) return stop(`its pictures have ${most} bytes, the most that are kept`)
    const first = page.waiting[0]
    if (first && windowOf(page, first.at) < windowOf(page, at)) save(page)
    page.waiting.push({ at, jpeg: frame.jpeg })
    page.end = at
  }
  const viewer: Viewer = {
    frame: async (frame) => {
      take(frame)
      await rest()
    },
    tabs: (tabs) => {
      shown = tabs.find(({ isShown }) => isShown)
    },
  }
  const screen = await live.watch(viewer)
  return async () => {
    // The last picture may still be delayed.
    await rest()
    screen.close()
    const last = pages.at(-1)
    if (last) last.end = now() - began
    for (const page of pages) save(page)
    write(async () => archive.list(pages.map(plain)))
    await writes.idle()
  }
}

/** Returns the page of the visible tab, creating it for the first picture. Returns `undefined` if there are too many pages. */
function pageOf(pages: OpenPage[], shown: LiveTab | undefined, frame: Frame, at: number): OpenPage | undefined {
  if (!shown) return undefined
  const known = pages.find(({ tab }) => tab === shown.id)
  if (known) {
    known.url = shown.url
    return known
  }
  if (pages.length >= maxPages) return undefined
  const scale = Math.min(1, maxSide / Math.max(frame.width, frame.height))
  const page = {
    ...{ tab: shown.id, url: shown.url, start: at, end: at, windows: [], waiting: [] },
    ...{ width: even(frame.width * scale), height: even(frame.height * scale) },
  }
  pages.push(page)
  return page
}

/** Rounds down to an even number of pixels, which encoders require. */
const even = (side: number): number => Math.max(2, Math.floor(side / 2) * 2)

const windowOf = ({ start }: Pick<OpenPage, 'start'>, at: number): number => Math.floor((at - start) / windowLength)

const plain = ({ url, start, end, width, height, windows }: OpenPage): ReplayPage => ({
  ...{ url, start, end, width, height, windows: [...new Set(windows)] },
})
