import { type Code, type CodeResult, EngineError, type Jail, type JailOptions } from '@harvestman/ports'
import { guarded } from '@harvestman/toolbox/guarded'
import { makeSequence } from '@harvestman/toolbox/sequence'

import { makeBrowserConnections, type BrowserConnections } from './browser-connections.ts'
import { controlFrame, frameKinds, readFrames } from './frames.ts'
import type { Launched } from './launch.ts'
import type { SandboxLimits } from './options.ts'
import { makeOutput, type Output } from './output.ts'
import { withOwnLines } from './own-lines.ts'
import { cannotStart } from './refusals.ts'
import { readWorkerMessage, type RunReport } from './worker-messages.ts'

const startsWithin = 15_000
// How long after its timeout code may take to be ended by the jail's supervisor, before the whole jail is killed. In
// milliseconds.
const grace = 700
// Polling interval in milliseconds. The kernel kills one process at a time for exceeding the memory limit; the first one ends
// the run.
const overrunLooks = 200

interface Run {
  readonly stdout: Output
  readonly stderr: Output
  settle(done: RunReport): void
}

/**
 * Creates a jail, once its supervisor has started. Treats everything the supervisor sends as untrusted. Rejects with
 * `not_configured` if the process ends before that, or does not start within 15 seconds.
 */
export function makeJail(
  launched: Launched,
  { connect, onFault = () => undefined }: JailOptions,
  limits: SandboxLimits,
): Promise<Jail> {
  const { child } = launched
  const send = (bytes: Buffer, sent?: () => void): void => {
    if (child.stdin?.writable) child.stdin.write(bytes, () => sent?.())
    else sent?.()
  }
  const connections = makeBrowserConnections({ connect, send, onFault })
  const runs = new Map<number, Run>()
  const kill = (): boolean => child.kill('SIGKILL')
  const { gone, ended } = watchEnd(launched, onFault, () => {
    connections.end()
    for (const { settle } of runs.values()) settle(lost)
    runs.clear()
  })
  const close = async (): Promise<void> => {
    kill()
    await ended
  }
  const jail: Jail = { gone, run: makeRunner({ ...launched, gone, runs, send, close, limits }), close }
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-2_000)))
  child.stdin?.on('error', () => undefined)
  child.stdout?.on('error', () => undefined)

  return new Promise((resolve, reject) => {
    const timer = setTimeout(kill, startsWithin)
    const fail = (): void => {
      clearTimeout(timer)
      reject(cannotStart(words))
    }
    ended.then(fail, fail)
    const take = makeTake(runs, connections, () => {
      clearTimeout(timer)
      resolve(jail)
    })
    const broken = (fault: unknown): void => {
      onFault(fault)
      kill()
    }
    child.stdout?.on('data', guarded(readFrames(take, kill), broken))
  })
}

/** Returns a signal for the end of the process, and a promise that resolves when everything is cleaned up. */
function watchEnd({ child, clear }: Launched, onFault: (fault: unknown) => void, lose: () => void) {
  const gone = new AbortController()
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      gone.abort(
        new EngineError('closed', 'The sandbox of this session has ended. Run the code again to get a new one.'),
      )
      lose()
      clear().then(resolve, (fault: unknown) => {
        onFault(fault)
        resolve()
      })
    }
    child.once('close', end)
    child.once('error', end)
  })
  return { gone: gone.signal, ended }
}

/** Returns the handler of frames from the jail. */
function makeTake(runs: ReadonlyMap<number, Run>, connections: BrowserConnections, ready: () => void) {
  return (kind: number, id: number, payload: Buffer): void => {
    if (kind === frameKinds.stdout) runs.get(id)?.stdout.add(payload)
    else if (kind === frameKinds.stderr) runs.get(id)?.stderr.add(payload)
    else if (kind === frameKinds.open) connections.open(id)
    else if (kind === frameKinds.data) connections.data(id, Buffer.from(payload))
    else if (kind === frameKinds.close) connections.close(id)
    else if (kind === frameKinds.control) {
      const message = readWorkerMessage(payload)
      if (message?.tell === 'done') runs.get(message.run)?.settle(message)
      if (message?.tell === 'ready') ready()
    }
  }
}

interface Running extends Pick<Launched, 'overruns'>, Pick<Jail, 'gone' | 'close'> {
  readonly runs: Map<number, Run>
  readonly send: (bytes: Buffer) => void
  readonly limits: SandboxLimits
}

/** Returns a function that runs code in the jail, one call at a time. */
function makeRunner({ overruns, gone, runs, send, close, limits }: Running): Jail['run'] {
  let lastRun = 0
  const sequence = makeSequence()

  const carryOut = async (code: Code, signal: AbortSignal): Promise<CodeResult> => {
    signal.throwIfAborted()
    gone.throwIfAborted()
    const id = ++lastRun
    const [stdout, stderr] = [makeOutput(limits.output), makeOutput(limits.output)]
    const before = overruns()
    const isOver = (): boolean => overruns() > before
    const watch = setInterval(() => isOver() && send(controlFrame({ do: 'exceed', run: id })), overrunLooks)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), code.timeout + grace)
    const done = new Promise<RunReport>((settle) => {
      runs.set(id, { stdout, stderr, settle })
      send(controlFrame({ do: 'run', run: id, language: code.language, text: code.text, timeout: code.timeout }))
    })
    const outcome = await Promise.race([done, isAborted(signal, late.signal)])
    clearTimeout(timer)
    clearInterval(watch)
    late.abort()
    runs.delete(id)
    if (!outcome) await close()
    const { result, exitCode, killed = false, error, line } = outcome ?? { ...lost, killed: true, error: tooLong(code) }
    signal.throwIfAborted()
    const isGood = exitCode === 0 && !killed
    return {
      stdout: stdout.text(),
      stderr: withOwnLines(stderr.text(), line),
      result,
      exitCode: killed ? undefined : exitCode,
      killed,
      truncated: stdout.isCut || stderr.isCut,
      error: isGood
        ? undefined
        : isOver() && !killed
          ? tooMuch(limits)
          : (error ?? `The code ended with ${exitCode ?? 'a signal'}.`),
    }
  }

  return (code, signal) => sequence.run(() => carryOut(code, signal))
}

const lost: RunReport = { killed: false, error: 'The sandbox ended while the code ran.' }

/** Resolves when one of the signals is aborted. */
async function isAborted(...signals: AbortSignal[]): Promise<undefined> {
  const any = AbortSignal.any(signals)
  if (!any.aborted) await new Promise((resolve) => any.addEventListener('abort', resolve, { once: true }))
}

function tooMuch({ memory }: SandboxLimits): string {
  return `The code used more than ${Math.round(memory / 1e6)} MB of memory and was ended.`
}

function tooLong({ timeout }: Code): string {
  return `The code ran longer than ${timeout / 1_000} s and was ended.`
}
