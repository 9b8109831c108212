import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { SandboxLimits } from './options.ts'

/** The files that a jail is given to read, by where they lie inside. */
export interface Furniture {
  readonly node: string
  readonly runner: string
  readonly playwright: string
}

export const inside = { root: '/opt/harvestman', node: '/opt/harvestman/node', runner: '/opt/harvestman/jail' }

export function findFurniture(): Furniture {
  const require = createRequire(import.meta.url)
  return {
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
  { node, runner, playwright }: Furniture,
  { disk }: SandboxLimits,
  filter?: number,
): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--as-pid-1'],
    ...['--clearenv', '--cap-drop', 'ALL', '--hostname', 'jail'],
    ...Object.values(rights).flatMap((name) => ['--cap-add', `CAP_${name.toUpperCase()}`]),
    ...['--ro-bind', '/usr', '/usr'],
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(disk), '--tmpfs', '/tmp', '--size', String(devices), '--tmpfs', '/dev/shm'],
    ...['--ro-bind', node, inside.node, '--ro-bind', runner, inside.runner],
    ...['--ro-bind', playwright, join(inside.root, 'node_modules/playwright-core')],
    ...['--remount-ro', '/', '--remount-ro', '/dev', '--chdir', '/tmp'],
    ...(filter === undefined ? [] : ['--seccomp', String(filter)]),
  ]
}

/** Limits that hold for each process, set by the first command inside: they count what belongs to the jail alone. */
export function limitArguments({ memory, processes, openFiles, disk }: SandboxLimits): string[] {
  return [
    '/usr/bin/prlimit',
    `--nproc=${processes}`,
    `--nofile=${openFiles}`,
    '--core=0',
    `--data=${memory}`,
    // Node reserves far more addresses than it uses.
    `--as=${memory + 16 * 1_073_741_824}`,
    `--fsize=${disk}`,
    '--',
  ]
}
