import { readFileSync } from 'node:fs'

import { makeGroupList, type ProcessInfo } from './processes.ts'
import { busiestSince, makeWorkLog, watchShared } from './shared-memory.ts'

/**
 * Bounds what the pages of a browser hold, each by itself: all of it, not the heap of its scripts alone. Pages of two
 * contexts never share a process, so that one which is ended takes no other tab with it.
 */
export interface RendererWatch {
  start(): void
  stop(): void
  /** Ends the page that worked the most of late; false when there is none. */
  endBusiest(): boolean
  /** What a page that has just crashed was ended for; nothing when it was not. Each end is told once. */
  whyEnded(): EndedFor | undefined
}

/** It held too much, or made others hold it; the browser held too much as a whole; or it answered nothing because of the page. */
export type EndedFor = 'memory' | 'limits' | 'silence'

const looksEvery = 200
// The news of a crash follows the end of its process, at once where the browser is not busy.
const toldWithin = 10_000

type Role = 'renderer' | 'shared' | 'other'

/** `overruns` says how often the kernel has ended a process of the browser, for all that it held together. */
export function watchRenderers(browser: number, most: number, overruns: () => number = () => 0): RendererWatch {
  const roles = new Map<number, Role>()
  const recent = makeWorkLog()
  const ends = makeEnds(overruns)
  const shared = watchShared(most)
  const listGroup = makeGroupList(browser)
  let timer: NodeJS.Timeout | undefined

  const roleOf = ({ pid }: ProcessInfo): Role => {
    const role = roles.get(pid) ?? (pid === browser ? 'shared' : readRole(pid))
    // A process carries the command line of its parent until it has begun: what is of no kind may yet become a page.
    if (role !== 'other') roles.set(pid, role)
    return role
  }

  const list = (): readonly ProcessInfo[] => {
    const all = listGroup()
    for (const pid of roles.keys()) if (!all.some((one) => one.pid === pid)) roles.delete(pid)
    return all.filter(({ isZombie }) => !isZombie)
  }

  const end = (pid: number, why: EndedFor): void => {
    ends.note(why)
    roles.delete(pid)
    kill(pid)
  }

  const look = (): void => {
    ends.look()
    const all = list()
    const pages = all.filter((process) => roleOf(process) === 'renderer')
    recent.note(pages)
    for (const { pid, memory } of pages) if (memory > most) end(pid, 'memory')
    const filler = shared.look(
      all.filter((process) => roleOf(process) === 'shared'),
      pages,
    )
    if (filler !== undefined) end(filler, 'memory')
  }

  return {
    start: () => {
      timer ??= setInterval(look, looksEvery).unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
    endBusiest: () => {
      const busiest = busiestSince(
        recent.first(),
        list().filter((process) => roleOf(process) === 'renderer'),
      )
      if (busiest !== undefined) end(busiest, 'silence')
      return busiest !== undefined
    },
    whyEnded: ends.take,
  }
}

/** What was ended and not told yet, by us and by the kernel. */
function makeEnds(overruns: () => number) {
  const ends: { readonly at: number; readonly why: EndedFor }[] = []
  let known = 0
  const note = (why: EndedFor): void => void ends.push({ at: performance.now(), why })
  const look = (): void => {
    for (const now = overruns(); known < now; known++) note('limits')
  }
  return {
    note,
    look,
    take: (): EndedFor | undefined => {
      look()
      while (ends.length > 0) {
        const { at = 0, why } = ends.shift() ?? {}
        if (performance.now() - at < toldWithin) return why
      }
      return undefined
    },
  }
}

function readRole(pid: number): Role {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (line.includes('--type=renderer')) return 'renderer'
    return /--type=(?:gpu-process|utility)/.test(line) ? 'shared' : 'other'
  } catch {
    return 'other'
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
