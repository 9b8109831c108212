// Takes pictures of what a live browser shows, tab by tab, in windows of ten seconds.
import type { Frame, LiveBrowser, LiveTab, Viewer } from '@harvestman/ports'
import { makeSequence, errorMessage } from '@harvestman/ports/adapters'

/** A picture, and when it was taken: milliseconds from the start of the session. */
export interface Picture {
  readonly at: number
  readonly jpeg: Uint8Array
}

/** A tab of a session, while it was shown. */
export interface ReplayPage {
  /** The last address that it had. */
  readonly url: string
  readonly start: number
  readonly end: number
  /** The size of its video. */
  readonly width: number
  readonly height: number
  /** The windows that have pictures. */
  readonly windows: readonly number[]
}

/** Where pictures go. */
export interface PictureArchive {
  /** Keeps the pictures of a window of ten seconds of a page. */
  add(page: number, window: number, pictures: readonly Picture[]): Promise<void>
  /** Keeps the list of pages. */
  list(pages: readonly ReplayPage[]): Promise<void>
}

export interface CaptureOptions {
  readonly live: Pick<LiveBrowser, 'watch'>
  readonly archive: PictureArchive
  readonly now: () => number
  /** The most bytes of all pictures. */
  readonly most: number
  /** Told once, why nothing more is kept. */
  readonly lost: (sentence: string) => void
}

/** The length of a window, and of a segment of the video, in milliseconds. */
export const windowLength = 10_000
/** Pages that a client may have made: each has a video of its own. */
const mostPages = 100
const pause = 250
const mostSide = 1_280

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

/** Takes pictures of a live browser until it is ended. Resolves when it has begun. */
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
    // The last picture may wait for its turn.
    await rest()
    screen.close()
    const last = pages.at(-1)
    if (last) last.end = now() - began
    for (const page of pages) save(page)
    write(async () => archive.list(pages.map(plain)))
    await writes.idle()
  }
}

/** The page of the tab that is shown, which is new with its first picture. */
function pageOf(pages: OpenPage[], shown: LiveTab | undefined, frame: Frame, at: number): OpenPage | undefined {
  if (!shown) return undefined
  const known = pages.find(({ tab }) => tab === shown.id)
  if (known) {
    known.url = shown.url
    return known
  }
  if (pages.length >= mostPages) return undefined
  const scale = Math.min(1, mostSide / Math.max(frame.width, frame.height))
  const page = {
    ...{ tab: shown.id, url: shown.url, start: at, end: at, windows: [], waiting: [] },
    ...{ width: even(frame.width * scale), height: even(frame.height * scale) },
  }
  pages.push(page)
  return page
}

/** Encoders want sides of an even number of pixels. */
const even = (side: number): number => Math.max(2, Math.floor(side / 2) * 2)

const windowOf = ({ start }: Pick<OpenPage, 'start'>, at: number): number => Math.floor((at - start) / windowLength)

const plain = ({ url, start, end, width, height, windows }: OpenPage): ReplayPage => ({
  ...{ url, start, end, width, height, windows: [...new Set(windows)] },
})
