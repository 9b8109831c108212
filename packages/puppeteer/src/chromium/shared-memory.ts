import type { ProcessInfo } from './processes.ts'

// How long what a page held that was ended may take to be freed.
const settles = 2_000
// How far back it is looked for what keeps a browser from answering, which is asked every few seconds.
const remembers = 8_000
// What a page asks for is carried out within this time, where the machine is not busy.
const carriedOutWithin = 1_000
// What each further page may rightly have in processes that all share.
const besides = 100_000_000
// Ticks, of a hundredth of a second each.
const leastWork = 10

const elapsed = (): number => performance.now()

/**
 * Textures, layers and files of pages are held by processes that serve all of them. Which page fills one cannot be read
 * anywhere: each growth is put down to the pages that worked shortly before, and the page with the most of it is ended.
 */
export function watchShared(most: number, clock: () => number = elapsed) {
  const recent = makeWorkLog(carriedOutWithin, clock)
  const growths = new Map<number, Growth>()
  // What a process may hold that did not become smaller when the pages were gone which had filled it.
  const allowed = new Map<number, number>()
  let known: readonly number[] = []
  let shrunkAt = -Infinity
  return {
    /** Gives the page that is to be ended. */
    look: (shared: readonly ProcessInfo[], pages: readonly ProcessInfo[]): number | undefined => {
      const now = clock()
      recent.note(pages)
      for (const pid of growths.keys()) if (!shared.some((one) => one.pid === pid)) growths.delete(pid)
      // What a page held that is gone is freed a little later, whatever it was ended for.
      if (known.some((pid) => !pages.some((page) => page.pid === pid))) shrunkAt = now
      known = pages.map(({ pid }) => pid)
      const room = most + Math.max(0, pages.length - 1) * besides + (now - shrunkAt < settles ? most : 0)
      const work = recent.since(pages)
      for (const { pid, memory } of shared) {
        const growth = growthOf(pid, growths)
        growth.note(memory, work)
        if (memory <= room) allowed.delete(pid)
        if (memory <= Math.max(room, allowed.get(pid) ?? 0)) continue
        const blamed = growth.most()
        if (blamed !== undefined) return blamed
        // It keeps what pages had that are gone, and is replaced later.
        allowed.set(pid, memory + most / 2)
      }
      return undefined
    },
  }
}

/** How much a process grew while each page worked. */
interface Growth {
  note(memory: number, work: Work): void
  /** The page that it grew the most for; nothing when it grew for none by more than a page may rightly have. */
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
  return {
    note: (memory, work) => {
      // What it has when it is first seen is its own.
      const grown = memory - (held ?? memory)
      held = memory
      const all = [...work.values()].reduce((sum, one) => sum + one, 0)
      // Which page freed something is unknown: the parts of all of them shrink alike.
      const shrunk = grown < 0 ? memory / (memory - grown) : 1
      const partOf = (worked: number): number => (grown > 0 && all > 0 ? grown * (worked / all) : 0)
      shares = new Map([...work].map(([page, worked]) => [page, (shares.get(page) ?? 0) * shrunk + partOf(worked)]))
    },
    most: () => {
      const [first] = [...shares].toSorted(([, one], [, other]) => other - one)
      return first && first[1] > besides ? first[0] : undefined
    },
  }
}

/** The processor time of each page. */
type Work = ReadonlyMap<number, number>

function workOf(pages: readonly ProcessInfo[]): Work {
  return new Map(pages.map(({ pid, work }) => [pid, work]))
}

/** The page that has worked the most since then; nothing when none did much. */
export function busiestSince(then: Work | undefined, pages: readonly ProcessInfo[]): number | undefined {
  const [first] = [...workSince(then, pages)].toSorted(([, one], [, other]) => other - one)
  return first && first[1] >= leastWork ? first[0] : undefined
}

function workSince(then: Work | undefined, pages: readonly ProcessInfo[]): Work {
  return new Map(pages.map(({ pid, work }) => [pid, work - (then?.get(pid) ?? 0)]))
}

/** What pages had worked some time ago. */
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
    /** What each has worked since; where none did, what each has worked at all. */
    since: (pages: readonly ProcessInfo[]): Work => {
      const since = workSince(first(), pages)
      return [...since.values()].some((worked) => worked > 0) ? since : workOf(pages)
    },
  }
}
