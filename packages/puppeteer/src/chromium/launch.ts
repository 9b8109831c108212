import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { resolve as resolvePath } from 'node:path'

import type { EngineError } from '@harvestman/ports'
import type { ControlGroup } from '@harvestman/toolbox/control-groups/groups'
import { heldCommand, releaseCommand } from '@harvestman/toolbox/control-groups/held-start'

import { loadConnect } from '../lib/cdp.ts'
import { makeSwitch } from '../fence/switch.ts'
import { browserFailed } from '../lib/errors.ts'
import { brandOf } from '../lib/product.ts'
import { isDoneWithin, race } from '../lib/race.ts'
import { environmentFor, type Confinement, type Nobody } from './confinement.ts'
import { flagsFor } from './flags.ts'
import { makeFolder, type ProfileFolder } from './folder.ts'
import { makeGroupNice, niceCommand } from './nice.ts'
import { pipeTransport } from './pipe.ts'
import { listProcesses } from './processes.ts'
import { endGroup } from './reap.ts'
import { watchRenderers } from './renderers.ts'
import type { Running } from './running.ts'
import { unpack } from './unpack.ts'
import { keepWatch } from './warden.ts'

export interface LaunchOptions {
  readonly executable: string
  readonly kind: 'shell' | 'full'
  /** URL of our proxy. */
  readonly proxy: string
  readonly pictures: boolean
  readonly confinement: Confinement
  /** Creates the control group that limits all processes of the browser. It is removed with them. */
  readonly makeGroup?: (() => ControlGroup | undefined) | undefined
  /** Maximum memory of a page, in bytes. */
  readonly pageMemory: number
  /** Nice value, from 0 to 19: higher values give other processes precedence. */
  readonly nice: number
  /** Whether timers of hidden pages are throttled, as in an ordinary browser window. */
  readonly hiddenWait: boolean
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Folder of the npm package from which the browser is unpacked first. */
  readonly packedIn?: string | undefined
}

const startsWithin = 30_000
const closesWithin = 5_000
const lastWordsWithin = 1_000
const maxOutput = 8_192

/**
 * Starts a browser with its own folder and process group. Rejects with `browser_failed` if it cannot be started or does not
 * respond within 30 seconds, and with the signal's reason.
 */
export async function launch(options: LaunchOptions, signal: AbortSignal): Promise<Running> {
  const { executable, packedIn } = options
  if (packedIn !== undefined) await unpack({ executable, packedIn }, signal)
  const connect = await loadConnect()
  const folder = openFolder(options.confinement.user)
  const group = options.makeGroup?.()
  const child = start(options, folder, group)
  const output = collect(child)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  if (child.pid !== undefined) folder.mark(child.pid)
  const clear = cleaner(child, { folder, group, ended })
  try {
    const lines = makeSwitch(pipeTransport(child))
    const connection = connect(lines.main)
    const failed = new AbortController()
    child.once('error', (error) => failed.abort(error))
    child.once('exit', () => failed.abort(new Error('The browser ended at its start.')))
    const deadline = AbortSignal.timeout(startsWithin)
    const version = await race(connection.send('Browser.getVersion'), failed.signal, deadline, signal)
    return running(
      options,
      { child, group, clear, ended, folder: folder.profile },
      { connection, openLine: lines.open },
      version,
    )
  } catch (error) {
    await clear()
    signal.throwIfAborted()
    throw cannotStart(options, await output(), error)
  }
}

function openFolder(user: Nobody | undefined): ProfileFolder {
  try {
    return makeFolder(user)
  } catch (error) {
    throw browserFailed(
      'The browser needs a folder for its profile, and none can be made. Free some space for temporary files, or set TMPDIR to a writable folder.',
      error,
    )
  }
}

function start(options: LaunchOptions, { profile }: ProfileFolder, group?: ControlGroup): ChildProcess {
  const { confinement, nice, env } = options
  const { sandbox, user } = confinement
  const flags = flagsFor({ ...options, sandbox, folder: profile })
  // The other user may not be able to read the current folder.
  const executable = user ? resolvePath(options.executable) : options.executable
  const [named, given] = niceCommand(executable, flags, { nice, isOther: user !== undefined })
  const [program, ...args] = group ? heldCommand([named, ...given], holdPipe) : [named, ...given]
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', ...(group ? (['pipe'] as const) : [])],
    env: { ...environmentFor(confinement, profile), ...temporaryIn(profile), ...env },
    ...(user && { ...user, cwd: profile }),
  })
  child.on('error', () => undefined)
  if (child.pid !== undefined) makeGroupNice(child.pid, options.nice)
  if (group) enter(group, child)
  return child
}

function enter(group: ControlGroup, child: ChildProcess): void {
  try {
    if (child.pid !== undefined) group.add(child.pid)
  } catch {
    // The browser starts without the control group.
  }
  releaseCommand(child, holdPipe)
}

// File descriptor of the additional pipe, after the pipes of the protocol.
const holdPipe = 5

// Maximum length of a socket path that all systems accept.
const maxSocketPath = 103

/**
 * Puts the browser's temporary files into its folder, so that they are removed even if it is killed. Not if the path of its
 * socket would become too long.
 */
function temporaryIn(path: string): { readonly TMPDIR?: string } {
  const socket = `${path}/org.chromium.Chromium.XXXXXX/SingletonSocket`
  return socket.length <= maxSocketPath ? { TMPDIR: path } : {}
}

/** Returns a function for the last output of a browser that has ended. Output may arrive after the exit event. */
function collect({ stderr }: ChildProcess): () => Promise<string> {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-maxOutput)
  })
  const closed = new Promise<void>((resolve) => stderr?.once('close', resolve))
  return async () => {
    await isDoneWithin(lastWordsWithin, closed)
    return text
  }
}

interface Leftovers {
  readonly folder: ProfileFolder
  readonly group: ControlGroup | undefined
  readonly ended: Promise<void>
}

/**
 * Returns a function that kills the processes, waits for the browser and removes its files. This also happens when this process
 * exits.
 */
function cleaner(child: ChildProcess, { folder, group, ended }: Leftovers): () => Promise<void> {
  const { pid } = child
  const atExit = (): void => {
    if (pid !== undefined) endGroup(pid)
    folder.remove()
  }
  process.once('exit', atExit)
  const relieve = pid === undefined ? undefined : keepWatch(pid, folder.path, group?.folders ?? [])
  return async () => {
    process.off('exit', atExit)
    if (pid !== undefined) {
      if (child.exitCode === null && child.signalCode === null) endGroup(pid)
      await ended
      // Kill the remaining processes of the group, and wait, because they may still write into the folder.
      for (let tries = 0; tries < 100 && listProcesses(pid).some(({ isZombie }) => !isZombie); tries++) {
        endGroup(pid)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    folder.remove()
    await group?.remove()
    relieve?.()
  }
}

interface Started {
  readonly child: ChildProcess
  readonly group: ControlGroup | undefined
  readonly ended: Promise<void>
  readonly folder: string
  clear(): Promise<void>
}

const crashed = 'The browser crashed. Scrape the page again.'
const tooMuch = 'The pages of the browser exceeded its memory limit, and it was ended. Scrape the page again.'

function running(
  { executable, kind, pictures, pageMemory }: LaunchOptions,
  { child, group, clear, ended, folder }: Started,
  { connection, openLine }: Pick<Running, 'connection' | 'openLine'>,
  { product, userAgent }: { readonly product: string; readonly userAgent: string },
): Running {
  const closed = new AbortController()
  const pid = child.pid!
  const renderers = watchRenderers(pid, pageMemory, () => group?.overruns() ?? 0)
  let whyKilled: string | undefined
  const lost = (details = {}): EngineError =>
    browserFailed(whyKilled ?? (renderers.whyEnded() === 'limits' ? tooMuch : crashed), undefined, details)
  const cleared = ended.then(async () => {
    closed.abort(lost({ signal: child.signalCode, exitCode: child.exitCode }))
    renderers.stop()
    connection.dispose()
    await clear()
  })
  // The pipe closes shortly before the exit event. Calls in between must fail with the actual reason.
  child.stdio[4]?.once('close', () => {
    closed.abort(lost())
    if (child.exitCode === null && child.signalCode === null) endGroup(pid)
  })
  const kill = async (sentence: string): Promise<void> => {
    whyKilled = sentence
    endGroup(pid)
    await cleared
  }
  return {
    connection,
    openLine,
    kind,
    product,
    userAgent,
    brand: brandOf(executable),
    closed: closed.signal,
    pid,
    folder,
    paints: pictures,
    whyEnded: () => renderers.whyEnded(),
    lastEnd: () => renderers.lastEnd(),
    endBusiest: () => renderers.endBusiest(),
    keepAlive: (isNeeded) => {
      if (isNeeded) renderers.start()
      else renderers.stop()
      // A closed stream would queue each of these calls for a connection that never comes.
      const open = (child.stdio as (Partial<Socket> | null)[]).filter((stream) => stream?.destroyed === false)
      for (const handle of [child, ...open]) {
        if (isNeeded) handle?.ref?.()
        else handle?.unref?.()
      }
    },
    memory: () => listProcesses(pid).reduce((sum, { memory }) => sum + memory, 0),
    kill,
    close: async () => {
      whyKilled = 'The browser was closed.'
      connection.send('Browser.close').catch(() => undefined)
      if (!(await isDoneWithin(closesWithin, ended))) endGroup(pid)
      await cleared
    },
  }
}

const knownFaults: readonly (readonly [pattern: RegExp, sentence: (match: RegExpExecArray) => string])[] = [
  [
    /error while loading shared libraries: (\S+?):/,
    ([, library]) =>
      `The library ${library} is missing. Install the browser with its package manager (apt-get install chromium), which brings it.`,
  ],
  [
    /No usable sandbox|Failed to move to new namespace|SUID sandbox helper/,
    () =>
      'Its sandbox cannot be used here: the system does not allow user namespaces. Allow them (sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0), or give the option sandbox: false where all pages are trusted.',
  ],
  [/Running as root without --no-sandbox/, () => 'It does not run as root with its sandbox. Use another user.'],
  [
    /ENOENT|exec: .*not found/,
    () => 'The file does not exist. Check the path, or omit it to use the browser of the system.',
  ],
  [/EACCES|exec: .*Permission denied/, () => 'The file may not be executed. Check its permissions.'],
  [/No space left on device|ENOSPC/, () => 'The disk is full. Free some space for temporary files.'],
]

function cannotStart({ executable }: LaunchOptions, output: string, cause?: unknown): EngineError {
  const text = `${output}\n${cause instanceof Error ? cause.message : ''}`
  for (const [pattern, sentence] of knownFaults) {
    const match = pattern.exec(text)
    if (match)
      return browserFailed(`The browser could not be started. ${sentence(match)}`, cause, { executable, output })
  }
  return browserFailed(
    'The browser could not be started, or did not respond. Run it by hand with --headless to see the reason.',
    cause,
    { executable, output },
  )
}
