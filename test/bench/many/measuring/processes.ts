// Processor time of processes, from what the kernel of Linux tells of them.
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds on a processor, of all threads of these processes. */
export function cpuOf(pids: readonly number[]): number {
  let nanoseconds = 0
  for (const pid of pids)
    for (const thread of namesIn(`/proc/${pid}/task`))
      nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
  return nanoseconds / 1e6
}

/** The processes whose command line has these words, and their children. */
export function processesOf(words: string): readonly number[] {
  const all = namesIn('/proc').map(Number).filter(Number.isInteger)
  const parents = all.filter((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').includes(words))
  const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1])
  return [...parents, ...all.filter((pid) => parents.includes(parentOf(pid)))]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
