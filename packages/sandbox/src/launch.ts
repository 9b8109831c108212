import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

import { removeLater, type ControlGroup } from '@harvestman/toolbox/control-groups/groups'
import { heldCommand, releaseCommand } from '@harvestman/toolbox/control-groups/held-start'

import { noFilter, noGroup } from './refusals.ts'
import { dataLimit, inside, jailArguments, limitArguments, rights, type Furniture } from './bubblewrap.ts'
import type { SandboxLimits } from './options.ts'
import { seccompFilter } from './seccomp.ts'
import { strangerId } from './stranger.ts'

export interface LaunchOptions {
  readonly furniture: Furniture
  readonly limits: SandboxLimits
  readonly python: string
  readonly nice: number
  /** Whether the jail's supervisor measures the memory, because control groups are not available. */
  readonly isWatched: boolean
}

export interface Launched {
  readonly child: ChildProcess
  /** Returns how many processes the kernel has killed for exceeding the memory limit. */
  overruns(): number
  /** Cleans up after the process has ended. */
  clear(): Promise<void>
}

const filterFile = 3
const startFile = 4
const devtoolsPort = 9_222
const pagesPort = 9_223

// PID 1 of a namespace has to reap orphaned processes. The init of bubblewrap would do that too, but the code could inspect it,
// so a shell does it.
export const asFirst = ['/usr/bin/sh', '-c', 'exec 3<&0; "$@" <&3 3<&- & exec <&- >&- 2>&- 3<&-; wait $!', 'sh']

/**
 * Starts a jail with its supervisor, or with another command. Throws `not_configured` if there is no seccomp filter for this
 * CPU architecture, or the process cannot be added to the group. If `program` is missing, the child emits `error`.
 */
export function launchInJail(
  program: string,
  options: LaunchOptions,
  group?: ControlGroup,
  command?: readonly string[],
): Launched {
  const { furniture, limits } = options
  const filter = seccompFilter()
  if (!filter) throw noFilter()
  const env = { ...environment(inside.node, inside.runner, '/tmp'), HARVESTMAN_PAGES: String(pagesPort) }
  const args = [
    ...jailArguments(furniture, limits, filterFile),
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    ...limitArguments(limits),
    ...(command ?? [
      ...asFirst,
      ...supervisor({ ...options, node: inside.node, runner: inside.runner, home: '/tmp', isJailed: true }),
    ]),
  ]
  const [first, ...rest] = group ? heldCommand([program, ...args], startFile) : ([program, ...args] as const)
  const child = spawn(first, rest, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: {},
    cwd: '/',
    ...strangerId(),
  })
  tell(child, filterFile, filter)
  if (group) enter(child, group)
  return { child, overruns: () => group?.overruns() ?? 0, clear: async () => group?.remove() }
}

function tell(child: ChildProcess, file: number, words: Uint8Array): void {
  const pipe = child.stdio[file] as Writable | null
  pipe?.on('error', () => undefined)
  pipe?.end(words)
}

function enter(child: ChildProcess, group: ControlGroup): void {
  // If the process could not be started, it emits an event.
  if (child.pid === undefined) return
  try {
    group.add(child.pid)
  } catch (error) {
    child.kill('SIGKILL')
    removeLater(group)
    throw noGroup(error)
  }
  releaseCommand(child, startFile)
}

/**
 * Starts the supervisor without any isolation, for callers whom the operator trusts completely. Its working folder is a new
 * temporary one, which `clear` deletes.
 */
export function launchOpenly(options: LaunchOptions): Launched {
  const { node, runner } = options.furniture
  const home = mkdtempSync(join(tmpdir(), 'harvestman-code-'))
  const [command = node, ...args] = supervisor({ ...options, node, runner, home, isJailed: false })
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: environment(node, runner, home, process.env['PATH']),
    cwd: home,
  })
  // The interpreters end shortly after their supervisor and may still be writing files, so retry.
  const clear = async () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  return { child, overruns: () => 0, clear }
}

function environment(node: string, runner: string, home: string, path = '/usr/bin:/bin'): Record<string, string> {
  return {
    PATH: `${runner}/bin:${path}`,
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    UV_THREADPOOL_SIZE: '2',
    HARVESTMAN_NODE: node,
    HARVESTMAN_PAGES: `${home}/.pages`,
  }
}

interface SupervisorWish extends LaunchOptions {
  readonly node: string
  readonly runner: string
  readonly home: string
  readonly isJailed: boolean
}

function supervisor({ node, runner, home, isJailed, python, nice, limits, isWatched }: SupervisorWish): string[] {
  const config = {
    isJailed,
    nice,
    home,
    port: isJailed ? devtoolsPort : 0,
    rights: isJailed ? rights : undefined,
    limits: { ...limits, memory: isWatched ? limits.memory : undefined, message: 4 * limits.output },
    interpreters: {
      node: [node, '--max-old-space-size=512', `${runner}/node-kernel.mjs`],
      // Do not load anything from the session's folder at startup, because earlier code may have put it there.
      python: [...(isJailed ? dataLimit(limits) : []), python, '-I', '-B', '-u', `${runner}/python_kernel.py`],
      bash: ['bash', '--noprofile', '--norc'],
      pages: [node, '--max-old-space-size=256', `${runner}/pages-kernel.mjs`],
    },
  }
  // SIGUSR1 would enable the debugger, through which code could control the supervisor.
  return [node, '--disable-sigusr1', '--max-old-space-size=128', `${runner}/supervisor.mjs`, JSON.stringify(config)]
}
