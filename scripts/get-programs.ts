// Gets what tests start and this machine has not, before `npm test` runs them: packages of npm by npm, packages of Debian
// by apt-get where that may be done. What it cannot get is no failure: the tests that need it are left out, with a reason each.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { commandFor, programs, type Program } from './programs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const setting = 'HARVESTMAN_TEST_INSTALL'

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isRoot: boolean
  readonly hasApt: boolean
  readonly canWrite: (folder: string) => boolean
  /** Runs a command, with what it prints before the eyes of the person who waits; whether it ended well. */
  readonly run: (command: string, args: readonly string[], folder?: string) => boolean
  readonly say: (line: string) => void
}

export function getPrograms(all: readonly Program[], machine: Machine): void {
  const { env, say } = machine
  const wanted = all.filter(({ isHere, isWorthInstalling }) => !isHere() || isWorthInstalling?.())
  const answer = env[setting] ?? 'yes'
  if (!['yes', 'no'].includes(answer)) throw new Error(`${setting} is "${answer}": give yes or no.`)
  if (answer === 'yes') {
    byNpm(wanted, machine)
    byApt(wanted, machine)
  }
  const missing = all.filter(({ isHere }) => !isHere())
  if (missing.length === 0) return
  say('Tests are left out that need what is not here:')
  for (const program of missing) say(`  ${program.what} (${commandFor(program)})`)
}

function byNpm(wanted: readonly Program[], { canWrite, run, say }: Machine): void {
  for (const { what, get } of wanted) {
    if (!('npm' in get) || !canWrite(get.npm)) continue
    say(`Installing the ${what} for tests, with npm ci in ${get.npm} (${setting}=no leaves this out)…`)
    run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], get.npm)
  }
}

function byApt(wanted: readonly Program[], { isRoot, hasApt, run, say }: Machine): void {
  const packages = wanted.flatMap(({ get }) => ('debian' in get ? [get.debian] : []))
  if (packages.length === 0 || !isRoot || !hasApt) return
  say(`Installing for tests, with apt-get: ${packages.join(' ')} (${setting}=no leaves this out)…`)
  const install = (...names: readonly string[]) =>
    run('apt-get', ['install', '-yq', '--no-install-recommends', ...names])
  run('apt-get', ['update', '-q'])
  // Not every system has every one of them; those that there are come all the same.
  if (!install(...packages)) for (const one of packages) install(one)
}

function canWrite(folder: string): boolean {
  try {
    accessSync(join(root, folder), constants.W_OK)
    return true
  } catch {
    return false
  }
}

const thisMachine: Machine = {
  env: process.env,
  isRoot: process.getuid?.() === 0,
  hasApt: (process.env['PATH'] ?? '').split(delimiter).some((folder) => spawnable(join(folder, 'apt-get'))),
  canWrite,
  // What it reports goes to stderr: stdout belongs to the tests.
  run: (command, args, folder = '') =>
    spawnSync(command, args, {
      cwd: join(root, folder),
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0,
  say: (line) => console.error(line),
}

function spawnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (import.meta.main) getPrograms(programs, thisMachine)
