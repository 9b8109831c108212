import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly isZombie: boolean
  /** Resident memory, in bytes. */
  readonly memory: number
  /** CPU time used so far, in clock ticks, or 0 if unknown. */
  readonly work: number
}

/** `AT_PAGESZ` of Linux. */
const pageSizeEntry = 6

const hasProc = process.platform === 'linux'
const pageSize = hasProc ? ownPageSize() : 4096

function ownPageSize(): number {
  try {
    return pageSizeIn(readFileSync('/proc/self/auxv'))
  } catch {
    return 4096
  }
}

/**
 * Returns the size of a memory page in bytes: 4,096, or 16,384 or 65,536 with some arm64 kernels. `auxv` is `/proc/self/auxv`;
 * without the entry, returns 4,096.
 */
export function pageSizeIn(auxv: Uint8Array): number {
  // Pairs of a type and a value, each as wide as a pointer. Little-endian on all supported systems.
  const view = new DataView(auxv.buffer, auxv.byteOffset, auxv.byteLength)
  const word = process.arch === 'arm' || process.arch === 'ia32' ? 4 : 8
  for (let at = 0; at + 2 * word <= auxv.byteLength; at += 2 * word) {
    if (view.getUint32(at, true) === pageSizeEntry) return view.getUint32(at + word, true)
  }
  return 4096
}

/** Returns the start time of a process, or `undefined` if it does not run. Process id and start time together are unique. */
export function startOf(pid: number): string | undefined {
  if (!hasProc) return startByPs(pid)
  const fields = statFields(pid)
  return fields?.state === 'Z' ? undefined : fields?.started
}

/** Returns whether the marked process still runs. False if its id now belongs to another process. */
export function isAlive({ pid, started }: { readonly pid: number; readonly started: string }): boolean {
  return started !== '' && startOf(pid) === started
}

/** Lists the processes of a group, or all processes. Empty if the group has none. */
export function listProcesses(group?: number): readonly ProcessInfo[] {
  if (!hasProc) return listByPs().filter((one) => group === undefined || one.group === group)
  const found: ProcessInfo[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statFields(Number(name))
    if (!fields || (group !== undefined && fields.group !== group)) continue
    found.push(infoOf(Number(name), fields))
  }
  return found
}

// Process ids are not reused within this time, in milliseconds.
const remembers = 2_000

/**
 * Returns a function that lists the processes of a group. Processes outside the group are remembered for two seconds, so that
 * repeated calls do not read them again.
 */
export function makeGroupList(group: number): () => readonly ProcessInfo[] {
  if (!hasProc) return () => listProcesses(group)
  const others = new Set<string>()
  let since = -Infinity
  return () => {
    if (performance.now() - since > remembers) {
      others.clear()
      since = performance.now()
    }
    return readdirSync('/proc').flatMap((name) => {
      if (others.has(name) || !/^\d+$/.test(name)) return []
      const fields = statFields(Number(name))
      if (fields?.group === group) return [infoOf(Number(name), fields)]
      others.add(name)
      return []
    })
  }
}

/**
 * Returns the ids of the processes of this host that have this argument, without spaces, on their command line; outside Linux
 * also as a part of an argument. Empty if there are none.
 */
export function findByArgument(argument: string): readonly number[] {
  if (!hasProc) {
    const lines = ps('-axo', 'pid=,command=').split('\n')
    return lines.filter((line) => line.includes(argument)).map((line) => Number.parseInt(line, 10))
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(argument))
    .map(Number)
}

function commandOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/)
  } catch {
    return []
  }
}

interface StatFields {
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly started: string
  readonly memory: number
  readonly work: number
}

function infoOf(pid: number, { state, parent, group, memory, work }: StatFields): ProcessInfo {
  return { pid, parent, group, memory, work, isZombie: state === 'Z' }
}

function statFields(pid: number): StatFields | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain anything, including parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state = '', parent, group] = fields
    const [started = '', , resident] = fields.slice(19)
    const work = Number(fields[11]) + Number(fields[12])
    return { state, parent: Number(parent), group: Number(group), started, work, memory: Number(resident) * pageSize }
  } catch {
    return undefined
  }
}

function ps(...args: readonly string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

function startByPs(pid: number): string | undefined {
  return ps('-o', 'lstart=', '-p', String(pid)).trim() || undefined
}

function listByPs(): ProcessInfo[] {
  const lines = ps('-axo', 'pid=,ppid=,pgid=,rss=,stat=').trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, group, kilobytes, state = ''] = line.trim().split(/\s+/)
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), memory: Number(kilobytes) * 1024 }
    return { ...numbers, work: 0, isZombie: state.startsWith('Z') }
  })
}
