import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { SandboxLimits } from './options.ts'
import { findRoot, type Root } from './root.ts'

/** The files that a jail is given to read. */
export interface Furniture {
  readonly root: Root
  readonly node: string
  readonly runner: string
  readonly playwright: string
}

export const inside = { root: '/opt/harvestman', node: '/opt/harvestman/node', runner: '/opt/harvestman/jail' }

export async function findFurniture(python: string): Promise<Furniture> {
  const own = await findOwnFurniture()
  return { ...own, root: await findRoot(python, [own.node]) }
}

/** Without a jail, the files of the machine are there. */
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

// Rights that are good for nothing in a name space. What lacks a right may not look into what has it. The first processes have
// all of them, and each language has one, so that its code can look into no process but those of its own language.
export const rights: Readonly<Record<string, string>> = {
  first: 'wake_alarm',
  node: 'block_suspend',
  python: 'lease',
  bash: 'sys_pacct',
  pages: 'audit_read',
}

/** What a command begins with that has the right of one language, as `jail/interpreters.mjs` starts them. */
export function withRight(language: string): string[] {
  const only = `-all,+${rights[language]}`
  return ['/usr/bin/setpriv', `--inh-caps=${only}`, `--ambient-caps=${only}`, '--']
}

/** The arguments of bubblewrap, up to the command that runs inside. The filter of system calls is read from `filter`. */
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

/** Limits that hold for each process, set by the first command inside: they count what belongs to the jail alone. */
export function limitArguments({ memory, processes, openFiles, disk }: SandboxLimits): string[] {
  return [
    '/usr/bin/prlimit',
    `--nproc=${processes}`,
    `--nofile=${openFiles}`,
    '--core=0',
    // Node reserves far more addresses than it uses.
    `--as=${memory + 16 * 1_073_741_824}`,
    `--fsize=${disk}`,
    '--',
  ]
}

/** Python takes what its process may not have for an error of the code, and goes on. Node takes it for its end, and reserves much. */
export function dataLimit({ memory }: SandboxLimits): string[] {
  return ['/usr/bin/prlimit', `--data=${memory * 0.75}`, '--']
}
