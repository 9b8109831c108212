import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

/** A user that owns nothing. */
export interface Nobody {
  readonly uid: number
  readonly gid: number
}

/** How the host is protected from a page that has taken over its browser process. */
export interface Confinement {
  /** Whether Chromium's own sandbox is enabled. */
  readonly sandbox: boolean
  /** The user that runs Chromium, if it is not the user of this process. */
  readonly user: Nobody | undefined
  /** What protection is missing, and how to fix it. */
  readonly lacks?: string
}

const noSandbox =
  'Chromium has no sandbox of its own: the system allows it no user namespaces. It runs as a user number that owns nothing. Allow user namespaces (user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns, or the seccomp profile of the container), or give the option sandbox: false where all pages are trusted.'
const asRoot =
  'Chromium runs as root and without its sandbox: no other user can start it here. Let all users read its program and the folders above it, or start this process as a user of its own.'

/**
 * Returns the ways to start a browser, safest first. Chromium refuses to use its sandbox as root, so if this process is root,
 * the browser runs as another user. Less safe ways are included with a description of the missing protection. `sandbox` limits
 * them to the ways with or without a sandbox; as another user than root there is one way only. Empty if root requires the
 * sandbox and has no free user id.
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

// User ids outside the ranges of systems and of our jails. The second range is for containers, which may have fewer ids.
const ranges = [
  { first: 1_879_179_264, count: 65_536 },
  { first: 61_440, count: 2_048 },
]

/** Returns a random user that owns nothing. Each browser gets its own, so that browsers cannot access each other. */
function someNobody(): Nobody | undefined {
  const last = Math.min(...['uid', 'gid'].map(lastNumber))
  const range = ranges.find(({ first, count }) => first + count <= last)
  if (!range) return undefined
  const number = range.first + randomInt(range.count)
  return { uid: number, gid: number }
}

/** Returns the end of the range of ids that this process may use. */
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

// Other variables may contain keys and passwords of this process.
const allowedNames = /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|FONTCONFIG_\w+)$/

/**
 * Returns the environment of a browser: the one of this process, or only its harmless variables and the folder `home` if the
 * browser runs as another user.
 */
export function environmentFor({ user }: Confinement, home: string): NodeJS.ProcessEnv {
  if (!user) return process.env
  const allowed = Object.entries(process.env).filter(([name]) => allowedNames.test(name))
  return { ...Object.fromEntries(allowed), HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home }
}

const unshare = '/usr/bin/unshare'
const probeWithin = 20_000

/**
 * Returns what protection a browser will lack, by running it with `--version` only. Returns `undefined` if nothing is missing
 * or it cannot be determined, as without root or `unshare` and outside Linux.
 */
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
    // The `timeout` option of `spawn` keeps the process alive if the executable could not be started.
    const timer = setTimeout(() => child.kill('SIGKILL'), probeWithin)
    const end = (isGood: boolean): void => {
      clearTimeout(timer)
      resolve(isGood)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
  })
}
