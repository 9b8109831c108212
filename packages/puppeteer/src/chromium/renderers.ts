import { readFileSync } from 'node:fs'

import { listProcesses } from './processes.ts'

/** Bounds what the pages of a browser hold, each by itself: all of it, not the heap of its scripts alone. */
export interface RendererWatch {
  start(): void
  stop(): void
  /** Whether a page that has just crashed was ended for what it held. Each end is told once. */
  wasEnded(): boolean
}

const looksEvery = 200
// The news of a crash follows the end of its process at once.
const toldWithin = 2_000

/** Pages of two contexts never share a process, so that one which is ended takes no other tab with it. */
export function watchRenderers(browser: number, most: number): RendererWatch {
  const kinds = new Map<number, boolean>()
  const ends: number[] = []
  let timer: NodeJS.Timeout | undefined

  const look = (): void => {
    const all = listProcesses(browser)
    for (const pid of kinds.keys()) if (!all.some((one) => one.pid === pid)) kinds.delete(pid)
    for (const { pid, memory, isZombie } of all) {
      if (isZombie || memory <= most || !isRenderer(pid)) continue
      ends.push(performance.now())
      end(pid)
    }
  }

  const isRenderer = (pid: number): boolean => {
    const known = kinds.get(pid)
    if (known !== undefined) return known
    const is = commandLine(pid).includes('--type=renderer')
    kinds.set(pid, is)
    return is
  }

  return {
    start: () => {
      timer ??= setInterval(look, looksEvery).unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
    wasEnded: () => {
      while (ends.length > 0) {
        const at = ends.shift() ?? 0
        if (performance.now() - at < toldWithin) return true
      }
      return false
    },
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
