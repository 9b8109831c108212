import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { SandboxLimits } from './options.ts'
import { findRoot, type Root } from './root.ts'

/** The files that are mounted read-only into a jail. */
export interface Furniture {
  readonly root: Root
  readonly node: string
  readonly runner: string
  readonly playwright: string
}

export const inside = { root: '/opt/harvestman', node: '/opt/harvestman/node', runner: '/opt/harvestman/jail' }

/**
 * Finds the files to mount into a jail, including the root file system. Without Python on the host, the jail has none. Rejects
 * if `playwright-core` is not installed.
 */
export async function findFurniture(python: string): Promise<Furniture> {
  const own = await findOwnFurniture()
  return { ...own, root: await findRoot(python, [own.node]) }
}

/**
 * Finds the files for code without a jail, where the host's own file system is visible. Rejects if `playwright-core` is not
 * installed.
 */
export async function findOwnFurniture(): Promise<Furniture> {
  const require = createRequire(import.meta.url)
  return {
    root: new Map(),
    node: realpathSync(process.execPath),
    runner: realpathSync(fileURLToPath(new URL('../jail', import.meta.url))),
    playwright: realpathSync(dirname(require.resolve('playwright-core/package.json'))),
  }
}

const devices = 1_048_576

// Capabilities that have no effect in a user namespace. A process without a capability cannot inspect one that has it. The
// first processes have all of them and each language has one, so that its code can only inspect processes of the same language.
export const rights: Readonly<Record<string, string>> = {
  first: 'wake_alarm',
  node: 'block_suspend',
  python: 'lease',
  bash: 'sys_pacct',
  pages: 'audit_read',
}

/** Returns the command prefix that gives a process only the capability of its language, as in `jail/interpreters.mjs`. */
export function withRight(language: string): string[] {
  const only = `-all,+${rights[language]}`
  return ['/usr/bin/setpriv', `--inh-caps=${only}`, `--ambient-caps=${only}`, '--']
}

/**
 * Returns the arguments of bubblewrap, up to the command to run inside. `filter` is the file descriptor of the seccomp filter.
 */
export function jailArguments(
  { node, runner, playwright, root }: Furniture,
  { disk }: SandboxLimits,
  filter: number,
): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--as-pid-1'],
    ...['--clearenv', '--cap-drop', 'ALL', '--hostname', 'jail'],
    ...Object.values(rights).flatMap((name) => ['--cap-add', `CAP_${name.toUpperCase()}`]),
    ...[...root].flatMap(([where, path]) => ['--ro-bind', path, where]),
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(disk), '--tmpfs', '/tmp', '--size', String(devices), '--tmpfs', '/dev/shm'],
    ...['--ro-bind', node, inside.node, '--ro-bind', runner, inside.runner],
    ...['--ro-bind', playwright, join(inside.root, 'node_modules/playwright-core')],
    ...['--remount-ro', '/', '--remount-ro', '/dev', '--chdir', '/tmp'],
    ...['--seccomp', String(filter)],
  ]
}

/**
 * Returns the `prlimit` prefix with the limits of each process; its address space may be 16 GiB larger than `memory`. It runs
 * inside, so that only processes of the jail count.
 */
export function limitArguments({ memory, processes, openFiles, disk }: SandboxLimits): string[] {
  return [
    '/usr/bin/prlimit',
    `--nproc=${processes}`,
    `--nofile=${openFiles}`,
    '--core=0',
    // Node.js reserves far more address space than it uses.
    `--as=${memory + 16 * 1_073_741_824}`,
    `--fsize=${disk}`,
    '--',
  ]
}

/**
 * Returns the `prlimit` prefix that limits the data of Python to three quarters of `memory`: a failed allocation becomes an
 * error of the code, which continues. Node.js would exit, and it reserves much more than it uses.
 */
export function dataLimit({ memory }: SandboxLimits): string[] {
  return ['/usr/bin/prlimit', `--data=${memory * 0.75}`, '--']
}
