import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

// Names this process among all that were and will be on this machine: numbers of processes are used again.
const here = `${hostname()}/${process.pid}/${startOf(process.pid) ?? ''}`

/** The name of one engine of this process. */
export function ownName(): string {
  return `${here}/${randomUUID()}`
}

/**
 * Returns whether an owner is known to be gone: a process of this machine that runs no more. It only saves time, as
 * the writes of an owner that was wrongly taken for gone are refused.
 */
export function isOwnerGone(owner: string): boolean {
  const [host, pid, start] = owner.split('/')
  if (host !== hostname() || !pid || start === undefined) return false
  return startOf(Number(pid)) !== (start === '' ? undefined : start)
}

/** Returns whether an owner is of another process than this. */
export function isElsewhere(owner: string): boolean {
  return !owner.startsWith(`${here}/`)
}

/** Start of a process in the words of the system; undefined when none runs, or the system does not say. */
function startOf(pid: number): string | undefined {
  try {
    // The second field is the name of the program in brackets, and may hold anything.
    const [state, ...more] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' ? undefined : more[18]
  } catch {
    return undefined
  }
}
