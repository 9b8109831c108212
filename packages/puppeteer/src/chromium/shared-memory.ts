import type { ProcessInfo } from './processes.ts'

// Period for finding the page that blocks the browser, in milliseconds. The browser is checked every few seconds.
const remembers = 8_000
// Requests of a page are carried out within this time in milliseconds, unless the host is busy.
const carriedOutWithin = 1_000
// Memory that each further page may normally use in shared processes, in bytes.
const besides = 100_000_000
// In clock ticks of 10 milliseconds.
const minWork = 10

const elapsed = (): number => performance.now()

/**
 * Creates a memory limit of `most` bytes for shared processes. They hold textures, layers and files of all pages. The system
 * does not tell which page fills them, so each growth is attributed to the pages that used CPU time shortly before. `look`
 * returns the process id of the page with the largest share, for the caller to kill, or `undefined` if the limit is kept or no
 * page's share is unusually large. Memory of pages that are gone may take long to be freed, so up to twice the limit of it does
 * not count. `clock` returns milliseconds.
 */
export function watchShared(most: number, clock: () => number = elapsed) {
  const recent = makeWorkLog(carriedOutWithin, clock)
  const growths = new Map<number, Growth>()
  return {
    /** Returns the process id of the page to kill, if any. */
    look: (shared: readonly ProcessInfo[], pages: readonly ProcessInfo[]): number | undefined => {
      recent.note(pages)
      for (const pid of growths.keys()) if (!shared.some((one) => one.pid === pid)) growths.delete(pid)
      const limit = most + Math.max(0, pages.length - 1) * besides
      const work = recent.since(pages)
      for (const { pid, memory } of shared) {
        const growth = growthOf(pid, growths)
        growth.note(memory, work)
        if (memory - Math.min(growth.ofGonePages(), 2 * most) <= limit) continue
        const blamed = growth.most()
        if (blamed !== undefined) return blamed
      }
      return undefined
    },
  }
}

/** How much a process grew while each page was working. */
interface Growth {
  note(memory: number, work: Work): void
  /** Returns how much of the memory was attributed to pages that are gone, and was not freed yet. */
  ofGonePages(): number
  /** Returns the page with the largest share, or `undefined` if no share is larger than a page may normally use. */
  most(): number | undefined
}

function growthOf(pid: number, growths: Map<number, Growth>): Growth {
  const known = growths.get(pid) ?? makeGrowth()
  growths.set(pid, known)
  return known
}

function makeGrowth(): Growth {
  let held: number | undefined
  let shares = new Map<number, number>()
  let gone = 0
  return {
    note: (memory, work) => {
      // Memory in use at the first measurement is the process's own.
      const grown = memory - (held ?? memory)
      held = memory
      for (const [page, share] of shares) if (!work.has(page)) gone += share
      // Freed memory was most likely of pages that are gone. Otherwise it is unknown whose it was: all shares shrink alike.
      const freedOfGone = Math.min(gone, Math.max(0, -grown))
      gone -= freedOfGone
      const freed = Math.max(0, -grown) - freedOfGone
      const shrunk = memory / (memory + freed || 1)
      const all = [...work.values()].reduce((sum, one) => sum + one, 0)
      const partOf = (worked: number): number => (grown > 0 && all > 0 ? grown * (worked / all) : 0)
      shares = new Map([...work].map(([page, worked]) => [page, (shares.get(page) ?? 0) * shrunk + partOf(worked)]))
    },
    ofGonePages: () => gone,
    most: () => {
      const [first] = [...shares].toSorted(([, one], [, other]) => other - one)
      return first && first[1] > besides ? first[0] : undefined
    },
  }
}

/** CPU time by page, in clock ticks. */
type Work = ReadonlyMap<number, number>

function workOf(pages: readonly ProcessInfo[]): Work {
  return new Map(pages.map(({ pid, work }) => [pid, work]))
}

/**
 * Returns the process id of the page that used the most CPU time since `then` (without it, since its start), or `undefined` if
 * none used at least 100 ms.
 */
export function busiestSince(then: Work | undefined, pages: readonly ProcessInfo[]): number | undefined {
  const [first] = [...workSince(then, pages)].toSorted(([, one], [, other]) => other - one)
  return first && first[1] >= minWork ? first[0] : undefined
}

function workSince(then: Work | undefined, pages: readonly ProcessInfo[]): Work {
  return new Map(pages.map(({ pid, work }) => [pid, work - (then?.get(pid) ?? 0)]))
}

/**
 * Creates a log of the CPU times of pages, in clock ticks of 10 ms, over the last `remembered` milliseconds (default 8,000).
 * `first` returns the times at the start of this period, or `undefined` while the log is empty. `clock` returns milliseconds.
 */
export function makeWorkLog(remembered = remembers, clock: () => number = elapsed) {
  const log: { readonly at: number; readonly work: Work }[] = []
  const first = (): Work | undefined => log[0]?.work
  return {
    note: (pages: readonly ProcessInfo[]): void => {
      const at = clock()
      log.push({ at, work: workOf(pages) })
      while (log.length > 1 && at - (log[1]?.at ?? at) > remembered) log.shift()
    },
    first,
    /** Returns the CPU time of each page in the period. If no page used any, returns the total CPU times. */
    since: (pages: readonly ProcessInfo[]): Work => {
      const since = workSince(first(), pages)
      return [...since.values()].some((worked) => worked > 0) ? since : workOf(pages)
    },
  }
}
