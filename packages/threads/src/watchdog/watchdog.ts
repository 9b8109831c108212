import { threadFile } from '@harvestman/toolbox/thread-file'
import { Worker } from 'node:worker_threads'

import { makeSharedState, openSharedState } from './shared-state.ts'
import { endSignals, signalArgs, type EndSignal } from './signals.ts'

/** Options of `startWatchdog`. */
export interface WatchdogOptions {
  /** Milliseconds without a turn of the event loop after which the main thread counts as stuck. */
  readonly limit: number
  /**
   * `report` only writes the report. `end` also ends the process with SIGKILL: use it if the process runs nothing else and a
   * supervisor restarts it. The process then also ends 5 seconds after a SIGTERM or SIGINT that a stuck main thread does not
   * receive. Default: `report`.
   */
  readonly action?: 'report' | 'end' | undefined
  /** Format of the line on stderr. Default: `json`. */
  readonly format?: 'json' | 'text' | undefined
  /** A file that reports are appended to. */
  readonly file?: string | undefined
  /** Milliseconds without activity after which the thread is stopped, until the next activity. Default: 60,000. */
  readonly idleTime?: number | undefined
  /** Called once if the thread cannot run. Nothing is monitored then. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Monitors the main thread from another thread. */
export interface Watchdog {
  /** Call it when work begins, with a short description for the report. Starts the thread if necessary. */
  note(activity?: string): void
  close(): Promise<void>
}

/** Data that the thread gets. */
export interface WatchdogData {
  readonly memory: SharedArrayBuffer
  readonly interval: number
  readonly limit: number
  /** Milliseconds for which a stuck main thread may leave a signal unhandled. */
  readonly signalLimit: number
  readonly action: 'report' | 'end'
  readonly format: 'json' | 'text'
  readonly file: string | undefined
}

const defaultIdleTime = 60_000
// Container runtimes kill a process 10 seconds after SIGTERM, without a report.
const maxSignalLimit = 5_000
const [minInterval, maxInterval] = [20, 1_000]
// An event loop with a higher utilization is working, even without a call of `note`.
const idleUse = 0.02
// The thread stores almost no data.
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 }

/**
 * Creates a watchdog that reports when the main thread is stuck for `limit` milliseconds. Its thread starts with `note` and
 * ends when idle, because it takes about 10 MB. If it fails, `onError` is called and nothing is watched any more.
 */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const { limit, action = 'report', format = 'json', file, idleTime = defaultIdleTime, onError } = options
  const interval = Math.min(maxInterval, Math.max(minInterval, limit / 20))
  const memory = makeSharedState()
  const state = openSharedState(memory)
  const signalLimit = Math.min(limit, maxSignalLimit)
  const workerData: WatchdogData = { memory, interval, limit, signalLimit, action, format, file }
  const signals = action === 'end' ? receiveSignals(state.signal, () => stop()) : undefined
  let running: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | undefined
  let hasWork = false
  let isOver = false

  const start = (): void => {
    try {
      const execArgv = signals ? [...signalArgs] : []
      const worker = new Worker(threadFile(import.meta.url), { execArgv, env: {}, resourceLimits, workerData })
      signals?.start()
      worker.unref()
      worker.once('error', fail)
      running = { worker, timer: setInterval(beat, interval).unref() }
      began = mark()
    } catch (error) {
      fail(error)
    }
  }
  const stop = async (): Promise<void> => {
    const stopped = running
    running = undefined
    signals?.stop()
    clearInterval(stopped?.timer)
    await stopped?.worker.terminate()
  }
  const fail = (error: unknown): void => {
    isOver = true
    void stop()
    onError?.(error)
  }
  const mark = () => ({ at: performance.now(), use: performance.eventLoopUtilization() })
  let began = mark()
  const beat = (): void => {
    state.beat()
    if (performance.now() - began.at < idleTime) return
    const isIdle = !hasWork && performance.eventLoopUtilization(began.use).utilization < idleUse
    if (isIdle) return void stop()
    began = mark()
    hasWork = false
  }
  return {
    note: (activity) => {
      hasWork = true
      if (activity !== undefined) state.note(activity)
      if (running === undefined && !isOver) start()
    },
    close: async () => {
      isOver = true
      await stop()
    },
  }
}

/**
 * Counts signals that the main thread receives, before other listeners run. A signal without any other listener has its default
 * effect.
 */
function receiveSignals(count: () => void, stopWorker: () => Promise<void>) {
  const listeners = endSignals.map((signal: EndSignal) => ({
    signal,
    listener: (): void => {
      count()
      // Without the worker's listener, the signal would have its default effect.
      if (process.listenerCount(signal) === 0) void stopWorker().finally(() => process.kill(process.pid, signal))
    },
  }))
  return {
    start: () => {
      for (const { signal, listener } of listeners) process.prependOnceListener(signal, listener)
    },
    stop: () => {
      for (const { signal, listener } of listeners) process.off(signal, listener)
    },
  }
}
