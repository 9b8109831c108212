// What a program and all that it started has used, on Linux.
import { readdirSync, readFileSync } from 'node:fs'

export interface Usage {
  /** Milliseconds of processor time of everything, and of the program itself. */
  readonly all: number
  readonly own: number
}

const tick = 10

/** Processor time so far. What ended is counted by who waited for it. */
export function usageOf(pid: number): Usage {
  const all = treeOf(pid).reduce((sum, one) => sum + timeOf(one), 0)
  return { all, own: timeOf(pid) }
}

/** Bytes of memory of what a program started, shared ones in equal parts; without some of them. */
export function memoryBelow(pid: number, without: readonly number[] = []): number {
  const below = treeOf(pid).filter((one) => one !== pid && !without.includes(one))
  return below.reduce((sum, one) => sum + memoryOf(one), 0)
}

/** Bytes of memory of one process, shared ones in equal parts; none when it has ended. */
export function memoryOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** The processes of pages below a program: Chromium has one or more for each context. */
export function renderersBelow(pid: number): readonly number[] {
  return treeOf(pid).filter((one) => {
    try {
      return readFileSync(`/proc/${one}/cmdline`, 'latin1').includes('--type=renderer')
    } catch {
      return false
    }
  })
}

/** Whether a process has ended and nobody has asked how. */
export function isZombie(pid: number): boolean {
  return fieldsOf(pid)[0] === 'Z'
}

/** A program and all that it started, directly or not. */
export function treeOf(root: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(fieldsOf(Number(name))[1] ?? 0)
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found = [root]
  for (const pid of found) found.push(...(children.get(pid) ?? []))
  return found
}

function fieldsOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Milliseconds of processor time; of those too that it has waited for, unless it is for itself. */
export function timeOf(pid: number, isWithEnded = true): number {
  return fieldsOf(pid)
    .slice(11, isWithEnded ? 15 : 13)
    .reduce((sum, ticks) => sum + Number(ticks) * tick, 0)
}
