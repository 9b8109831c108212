import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

import { inside, jailArguments, limitArguments, rights, type Furniture } from './bubblewrap.ts'
import type { SandboxLimits } from './options.ts'
import { seccompFilter } from './seccomp.ts'
import { strangerId } from './stranger.ts'

export interface LaunchWish {
  readonly furniture: Furniture
  readonly limits: SandboxLimits
  readonly python: string
  readonly nice: number
}

export interface Launched {
  readonly child: ChildProcess
  /** Called when it has ended. */
  clear(): void
}

const filterFile = 3
const devtoolsPort = 9_222
const pagesPort = 9_223

// The first process of a name space has to ask how each process ended whose parent is gone. That of bubblewrap would do so
// too, but code of callers could look into it.
export const asFirst = ['/usr/bin/sh', '-c', 'exec 3<&0; "$@" <&3 3<&- & exec <&- >&- 2>&- 3<&-; wait $!', 'sh']

/** Starts the first process of a jail, or another command in one. */
export function launchInJail(program: string, wish: LaunchWish, command?: readonly string[]): Launched {
  const { furniture, limits } = wish
  const filter = seccompFilter()
  const env = { ...environment(inside.node, inside.runner, '/tmp'), HARVESTMAN_PAGES: String(pagesPort) }
  const args = [
    ...jailArguments(furniture, limits, filter && filterFile),
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    ...limitArguments(limits),
    ...(command ?? [
      ...asFirst,
      ...supervisor({ ...wish, node: inside.node, runner: inside.runner, home: '/tmp', isJailed: true }),
    ]),
  ]
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: {},
    cwd: '/',
    ...strangerId(),
  })
  const pipe = child.stdio[filterFile] as Writable | null
  pipe?.on('error', () => undefined)
  pipe?.end(filter)
  return { child, clear: () => undefined }
}

/** The same without any fence: for callers whom the operator trusts as much as themselves. */
export function launchOpenly(wish: LaunchWish): Launched {
  const { node, runner } = wish.furniture
  const home = mkdtempSync(join(tmpdir(), 'harvestman-code-'))
  const [command = node, ...args] = supervisor({ ...wish, node, runner, home, isJailed: false })
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: environment(node, runner, home, process.env['PATH']),
    cwd: home,
  })
  // The interpreters end a moment after their supervisor, and may still be writing.
  return { child, clear: () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }) }
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

interface SupervisorWish extends LaunchWish {
  readonly node: string
  readonly runner: string
  readonly home: string
  readonly isJailed: boolean
}

function supervisor({ node, runner, home, isJailed, python, nice, limits }: SupervisorWish): string[] {
  const config = {
    isJailed,
    nice,
    home,
    port: isJailed ? devtoolsPort : 0,
    rights: isJailed ? rights : undefined,
    limits: { ...limits, message: 4 * limits.output },
    interpreters: {
      node: [node, '--max-old-space-size=512', `${runner}/node-kernel.mjs`],
      // Nothing of the folder of the session is read at the start: earlier code may have put it there.
      python: [python, '-I', '-u', `${runner}/python_kernel.py`],
      bash: ['bash', '--noprofile', '--norc'],
      pages: [node, '--max-old-space-size=256', `${runner}/pages-kernel.mjs`],
    },
  }
  return [node, '--max-old-space-size=128', `${runner}/supervisor.mjs`, JSON.stringify(config)]
}
