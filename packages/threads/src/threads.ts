import { Worker } from 'node:worker_threads'

import { EngineError, type ErrorCode, type ErrorDetails } from '@harvestman/ports'
import { defaultBound, type DocumentBound } from './document-bound.ts'
import { makeRecentUse } from './recent-use.ts'
import { makeSemaphore } from '@harvestman/toolbox/semaphore'
import { watchTask, type TaskLimits } from './thread-limits.ts'

/** Data that a thread gets when it starts. */
export interface ThreadData {
  /** The thread runs tasks of teams that use more than their share, with a lower CPU priority. */
  readonly isBackground: boolean
}

/** A message with a task. */
export interface ThreadTask<Task> {
  readonly task: Task
  readonly most: DocumentBound
}

/** A message with the outcome of a task. */
export type ThreadAnswer<Result> =
  | { readonly result: Result }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } }
  | { readonly fault: string }

/** A message of a running task with a part of its result. */
export interface Progress {
  readonly part: unknown
}

/** A pool of threads that run tasks and can be terminated. */
export interface Threads<Task, Result> {
  run(task: Task, signal: AbortSignal, options?: RunOptions): Promise<Result>
  close(): Promise<void>
}

export interface RunOptions {
  /** Team of the task: while all threads are busy, teams are served round-robin. */
  readonly team?: string
  /** Transferred to the thread, and empty here afterwards. */
  readonly transfer?: readonly ArrayBuffer[]
  /** Receives the parts that the task reports before its result. */
  readonly onPart?: (part: unknown) => void
  /** Limits on the result; a larger one is rejected in the thread, before it is copied to this one. */
  readonly most?: DocumentBound
}

/** Options of `makeThreads`. */
export interface ThreadOptions extends TaskLimits {
  /** The file that every thread runs; it must call `answerTasks`. */
  readonly entry: URL
  /** Number of concurrent threads. A team without a running task may get one more, up to twice this number. */
  readonly size: number
  /** Milliseconds after which an idle thread is terminated. */
  readonly idleTime?: number
  /** Error messages for a task that exceeds its time or its memory. */
  readonly messages: { readonly tooSlow: string; readonly tooLarge: string }
}

const starved = 'This host was too busy to read the page in time. Try again later.'

interface Job<Task, Result> {
  readonly task: Task
  readonly options: RunOptions
  readonly signal: AbortSignal
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const defaultIdleTime = 60_000
// Starting a thread takes longer than most tasks, so an additional one also stays for the next task.
const spareIdleTime = 5_000
// A team that has kept a thread busy for this fraction of the time yields to teams that use less.
const muchUse = 0.25
// V8's default is several times larger, mostly for short-lived garbage.
const youngMegabytes = 16

/**
 * Creates a pool of threads that run one task at a time. A thread is terminated if its task exceeds its limits or is aborted.
 * `run` rejects with `page_too_complex` above a limit, `timeout` if the host is too busy, `internal` if the thread fails,
 * `closed` after `close`, and the reason of the signal. An error of the work that is no `EngineError` arrives as a plain
 * `Error`.
 */
export function makeThreads<Task, Result>(options: ThreadOptions): Threads<Task, Result> {
  const { size } = options
  const usual = makeWorkers(options)
  const background = makeWorkers({ ...options, size: 0 }, { isBackground: true })
  const semaphore = makeSemaphore({ limit: size, spare: size })
  const use = makeRecentUse()
  let isClosed = false
  return {
    run: async (task, signal, runOptions = {}) => {
      if (isClosed) throw closed()
      const { team = '' } = runOptions
      const release = await semaphore.acquire(team, signal)
      const began = performance.now()
      try {
        if (isClosed) throw closed()
        // It may have been aborted after `acquire` resolved.
        signal.throwIfAborted()
        const workers = use.isOverShare(team, muchUse) ? background : usual
        return await new Promise<Result>((resolve, reject) =>
          runOn(workers, { task, options: runOptions, signal, resolve, reject }, options),
        )
      } finally {
        use.add(team, performance.now() - began)
        release()
      }
    },
    close: async () => {
      isClosed = true
      semaphore.clear(closed())
      await Promise.all([usual.close(), background.close()])
    },
  }
}

/** The threads of one pool, busy or idle. */
interface Workers {
  take(): Worker
  /** Returns an idle thread to the pool. */
  rest(worker: Worker): void
  /** Terminates a thread whose task is no longer needed. */
  retire(worker: Worker): void
  close(): Promise<void>
}

function makeWorkers(
  { entry, size, megabytes, idleTime = defaultIdleTime }: ThreadOptions,
  data: ThreadData = { isBackground: false },
): Workers {
  const idle = new Map<Worker, NodeJS.Timeout>()
  const all = new Set<Worker>()
  const spawn = (): Worker => {
    // Command-line flags are meant for the main script; some of them prevent a worker from starting.
    const resourceLimits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngMegabytes }
    const worker = new Worker(entry, { execArgv: [], resourceLimits, workerData: data })
    all.add(worker)
    // A terminated thread may still emit an error, and an unhandled one would end the process.
    worker.on('error', () => undefined)
    // A timer of an earlier task may end an idle thread, which must then leave the pool.
    worker.once('exit', () => {
      all.delete(worker)
      clearTimeout(idle.get(worker))
      idle.delete(worker)
    })
    worker.unref()
    return worker
  }
  const retire = (worker: Worker): void => {
    all.delete(worker)
    void worker.terminate()
  }
  return {
    retire,
    /** Takes the most recently used thread, so that the others can become idle for long enough to end. */
    take: () => {
      const [worker, timer] = [...idle].at(-1) ?? []
      clearTimeout(timer)
      if (worker) idle.delete(worker)
      return worker ?? spawn()
    },
    rest: (worker) => {
      const restsFor = all.size > size ? Math.min(idleTime, spareIdleTime) : idleTime
      const letGo = (): void => {
        idle.delete(worker)
        retire(worker)
      }
      idle.set(worker, setTimeout(letGo, restsFor).unref())
    },
    close: async () => {
      for (const timer of idle.values()) clearTimeout(timer)
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

function runOn<Task, Result>(workers: Workers, job: Job<Task, Result>, options: ThreadOptions): void {
  const { signal } = job
  const { messages } = options
  const { transfer = [], onPart, most = defaultBound } = job.options
  const worker = workers.take()
  const tooComplex = (message: string) => (): void => abandon(new EngineError('page_too_complex', message))
  const watch = watchTask(worker, options, {
    tooSlow: tooComplex(messages.tooSlow),
    tooLarge: tooComplex(messages.tooLarge),
    // The failure is not caused by the page, so a retry may succeed.
    starved: () => abandon(new EngineError('timeout', starved, { details: { machine: 'busy' } })),
  })
  const finish = (): void => {
    watch.end()
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    signal.removeEventListener('abort', stop)
    worker.unref()
  }
  const abandon = (error: unknown): void => {
    finish()
    workers.retire(worker)
    job.reject(error)
  }
  const stop = (): void => abandon(signal.reason)
  const onMessage = (answer: ThreadAnswer<Result> | Progress): void => {
    if ('part' in answer) return onPart?.(answer.part)
    finish()
    workers.rest(worker)
    take(answer, job)
  }
  const onError = (error: Error): void => abandon(died(error, messages.tooLarge))
  const onExit = (): void => abandon(closed())
  signal.addEventListener('abort', stop, { once: true })
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  worker.ref()
  worker.postMessage({ task: job.task, most } satisfies ThreadTask<Task>, transfer)
}

function take<Result>(answer: ThreadAnswer<Result>, { resolve, reject }: Job<unknown, Result>): void {
  if ('result' in answer) return resolve(answer.result)
  if ('fault' in answer) return reject(new Error(answer.fault))
  const { code, message, details } = answer.error
  reject(new EngineError(code, message, { details }))
}

function died(cause: Error, tooLarge: string): EngineError {
  if ('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new EngineError('page_too_complex', tooLarge, { cause })
  }
  return new EngineError('internal', 'A thread of the engine failed. Please report it with the cause.', { cause })
}

function closed(): EngineError {
  return new EngineError('closed', 'The engine was closed while the page was being read.')
}
