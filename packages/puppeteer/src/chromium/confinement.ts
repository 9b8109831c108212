import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

/** A user that owns nothing. */
export interface Nobody {
  readonly uid: number
  readonly gid: number
}

/** What stands between a page that has taken over its process and this machine. */
export interface Confinement {
  /** Whether Chromium keeps its own sandbox. */
  readonly sandbox: boolean
  /** Whom it runs as, where that is not the user of this process. */
  readonly user: Nobody | undefined
  /** What is missing, and what can be done. */
  readonly lacks?: string
}

const noSandbox =
  'Chromium has no sandbox of its own: the system allows it no user namespaces. It runs as a user number that owns nothing. Allow user namespaces (user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns, or the seccomp profile of the container), or give the option sandbox: false where all pages are trusted.'
const asRoot =
  'Chromium runs as root and without its sandbox: no other user can start it here. Let all users read its program and the folders above it, or start this process as a user of its own.'

/**
 * How a browser may be started, the safest way first. Chromium refuses its sandbox to root, so where this process is root
 * the browser is a user of its own; without that, or without the sandbox, it is started too, and what it lacks is told.
 */
export function waysToConfine(sandbox: boolean | undefined, isRoot = process.getuid?.() === 0): readonly Confinement[] {
  if (!isRoot) return [{ sandbox: sandbox ?? true, user: undefined }]
  const user = someNobody()
  const own: Confinement[] = user
    ? [
        { sandbox: true, user },
        sandbox === false ? { sandbox: false, user } : { sandbox: false, user, lacks: noSandbox },
      ]
    : []
  const all = [...own, { sandbox: false, user: undefined, lacks: asRoot }]
  return sandbox === undefined ? all : all.filter((way) => way.sandbox === sandbox)
}

// Numbers that no user of a system has, nor a jail of ours; those of a container may end before.
const ranges = [
  { first: 1_879_179_264, count: 65_536 },
  { first: 61_440, count: 2_048 },
]

/** Each browser has a number of its own, so that two of them are strangers to each other. */
function someNobody(): Nobody | undefined {
  const last = Math.min(...['uid', 'gid'].map(lastNumber))
  const range = ranges.find(({ first, count }) => first + count <= last)
  if (!range) return undefined
  const number = range.first + randomInt(range.count)
  return { uid: number, gid: number }
}

/** The last number that this process may take. */
function lastNumber(kind: string): number {
  try {
    const lines = readFileSync(`/proc/self/${kind}_map`, 'utf8').trim().split('\n')
    return Math.max(
      ...lines.map((line) => line.trim().split(/\s+/).map(Number)).map(([from = 0, , size = 0]) => from + size),
    )
  } catch {
    return Infinity
  }
}

// Keys and passwords that this process was started with are none of its business.
const told = /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|FONTCONFIG_\w+)$/

/** The environment of a browser: what another user is told is not what this one knows. */
export function environmentFor({ user }: Confinement, home: string): NodeJS.ProcessEnv {
  if (!user) return process.env
  const kept = Object.entries(process.env).filter(([name]) => told.test(name))
  return { ...Object.fromEntries(kept), HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home }
}

const unshare = '/usr/bin/unshare'
const probeWithin = 20_000

/** Looks in advance, without starting the browser, what a local one will lack; nothing where that cannot be told. */
export async function whyUnconfined(executable: string, ways = waysToConfine(undefined)): Promise<string | undefined> {
  if (process.platform !== 'linux' || !existsSync(unshare)) return undefined
  for (const { sandbox, user, lacks } of ways) {
    if (!user) return lacks
    const command = sandbox ? [unshare, '--user', '--map-root-user', executable] : [executable]
    if (await runs([...command, '--version'], user)) return lacks
  }
  return undefined
}

function runs([program = '', ...args]: readonly string[], user: Nobody): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...user, cwd: '/', stdio: 'ignore', env: {} })
    // The timeout of `spawn` stays, and keeps the process from ending, where the program could not be started.
    const timer = setTimeout(() => child.kill('SIGKILL'), probeWithin)
    const end = (isGood: boolean): void => {
      clearTimeout(timer)
      resolve(isGood)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
  })
}
