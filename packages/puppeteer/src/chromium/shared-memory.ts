import type { ProcessInfo } from './processes.ts'

// How long what a page held that was ended may take to be freed.
const settles = 2_000
// How far back it is looked for what keeps a browser from answering, which is asked every few seconds.
const remembers = 8_000
// What each further page may rightly have in processes that all share.
const besides = 100_000_000
// Ticks, of a hundredth of a second each.
const leastWork = 10

/**
 * Textures, layers and files of pages are held by processes that serve all of them. Which page fills one cannot be read
 * anywhere; it is the one that worked the most since the process held little.
 */
export function watchShared(most: number) {
  const before = new Map<number, Work>()
  // What a process may hold that did not become smaller when the page was ended which had filled it.
  const allowed = new Map<number, number>()
  let settling: { readonly at: number; readonly pid: number } | undefined
  return {
    /** Gives the page that is to be ended. */
    look: (shared: readonly ProcessInfo[], pages: readonly ProcessInfo[]): number | undefined => {
      const now = performance.now()
      if (settling && now - settling.at < settles) return undefined
      const settled = settling?.pid
      settling = undefined
      const room = most + Math.max(0, pages.length - 1) * besides
      for (const { pid, memory } of shared) {
        // It keeps some of what it once had, and is replaced later; no page is to blame for that again.
        if (settled === pid && memory > room) allowed.set(pid, memory + most / 2)
        if (memory <= room / 2 || settled === pid) before.set(pid, workOf(pages))
        if (memory <= Math.max(room, allowed.get(pid) ?? 0)) continue
        // What a page asked for may be carried out when the page itself rests.
        const busiest = busiestSince(before.get(pid), pages) ?? busiestSince(undefined, pages)
        if (busiest === undefined) continue
        settling = { at: now, pid }
        return busiest
      }
      return undefined
    },
  }
}

/** The processor time of each page so far. */
type Work = ReadonlyMap<number, number>

function workOf(pages: readonly ProcessInfo[]): Work {
  return new Map(pages.map(({ pid, work }) => [pid, work]))
}

/** The page that has worked the most since then; nothing when none did much. */
export function busiestSince(then: Work | undefined, pages: readonly ProcessInfo[]): number | undefined {
  const since = pages.map(({ pid, work }) => ({ pid, work: work - (then?.get(pid) ?? 0) }))
  const [first] = since.toSorted((one, other) => other.work - one.work)
  return first && first.work >= leastWork ? first.pid : undefined
}

/** What pages had worked some seconds ago. */
export function makeWorkLog() {
  const log: { readonly at: number; readonly work: Work }[] = []
  return {
    note: (pages: readonly ProcessInfo[]): void => {
      const at = performance.now()
      log.push({ at, work: workOf(pages) })
      while (log.length > 1 && at - (log[1]?.at ?? at) > remembers) log.shift()
    },
    first: (): Work | undefined => log[0]?.work,
  }
}
