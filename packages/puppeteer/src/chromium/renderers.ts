import { readFileSync } from 'node:fs'

import { makeGroupList, type ProcessInfo } from './processes.ts'
import { busiestSince, makeWorkLog, watchShared } from './shared-memory.ts'

/**
 * Limits the total memory of each page of a browser, not only its JavaScript heap. Pages of different contexts never share a
 * process, so killing one does not affect other tabs.
 */
export interface RendererWatch {
  start(): void
  stop(): void
  /** Kills the page that recently used the most CPU time. Returns `false` if there is none. */
  endBusiest(): boolean
  /** Returns why a page that has just crashed was killed, or `undefined` if it was not. Each kill is reported once. */
  whyEnded(): EndedFor | undefined
  /** Returns why the last page was killed, if that was just now. Other than `whyEnded`, returns it each time. */
  lastEnd(): EndedFor | undefined
}

/**
 * `memory`: the page used too much memory, itself or in shared processes. `limits`: the browser as a whole did. `silence`: it
 * kept the browser from responding.
 */
export type EndedFor = 'memory' | 'limits' | 'silence'

const looksEvery = 200
// A crash is reported after its process has ended, immediately unless the browser is busy.
const reportedWithin = 10_000

type Role = 'renderer' | 'shared' | 'other'

/**
 * Monitors the renderer processes of a browser, and kills a page that exceeds its memory limit, `most` bytes. `overruns`
 * returns how many processes the kernel has killed for exceeding the limit of the whole browser.
 */
export function watchRenderers(browser: number, most: number, overruns: () => number = () => 0): RendererWatch {
  const roles = new Map<number, Role>()
  const recent = makeWorkLog()
  const ends = makeEnds(overruns)
  const shared = watchShared(most)
  const listGroup = makeGroupList(browser)
  let timer: NodeJS.Timeout | undefined

  const roleOf = ({ pid }: ProcessInfo): Role => {
    const role = roles.get(pid) ?? (pid === browser ? 'shared' : readRole(pid))
    // A new process has the command line of its parent at first, so one of another role may still become a page.
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
    lastEnd: ends.last,
  }
}

interface End {
  readonly at: number
  readonly why: EndedFor
}

function isRecent(end: End | undefined): boolean {
  return end !== undefined && performance.now() - end.at < reportedWithin
}

/** Tracks the kills, by us and by the kernel, that were not reported yet. */
function makeEnds(overruns: () => number) {
  const ends: End[] = []
  let last: End | undefined
  let known = 0
  const note = (why: EndedFor): void => {
    last = { at: performance.now(), why }
    ends.push(last)
  }
  const look = (): void => {
    for (const now = overruns(); known < now; known++) note('limits')
  }
  return {
    note,
    look,
    take: (): EndedFor | undefined => {
      look()
      while (ends.length > 0) {
        const end = ends.shift()
        if (isRecent(end)) return end?.why
      }
      return undefined
    },
    last: (): EndedFor | undefined => {
      look()
      return isRecent(last) ? last?.why : undefined
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
    // It has already ended.
  }
}
