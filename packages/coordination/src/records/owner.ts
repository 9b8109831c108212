import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

// Unique among all past and future processes on this host: PIDs are reused, so the start time is included.
const here = `${hostname()}/${process.pid}/${startOf(process.pid) ?? ''}`

/** Returns a unique name for one engine of this process. */
export function ownName(): string {
  return `${here}/${randomUUID()}`
}

/**
 * Returns whether an owner is known to be dead: a process of this host that no longer runs. This only saves time,
 * because writes of an owner that was wrongly declared dead are rejected. Returns false for owners on other hosts and
 * for malformed names.
 */
export function isOwnerGone(owner: string): boolean {
  const [host, pid, start] = owner.split('/')
  if (host !== hostname() || !pid || start === undefined) return false
  return startOf(Number(pid)) !== (start === '' ? undefined : start)
}

/** Returns whether an owner belongs to another process. */
export function isOtherProcess(owner: string): boolean {
  return !owner.startsWith(`${here}/`)
}

/**
 * Returns the start time of a process as the system reports it; `undefined` if the process does not run or the system does not
 * report it.
 */
function startOf(pid: number): string | undefined {
  try {
    // The second field is the process name in brackets, which may contain any characters.
    const [state, ...more] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' ? undefined : more[18]
  } catch {
    return undefined
  }
}
