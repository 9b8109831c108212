import { Worker } from 'node:worker_threads'

import type { ErrorCode } from '../errors/codes.ts'
import { EngineError, type ErrorDetails } from '../errors/error.ts'

/** What a thread says about a task. */
export type ThreadAnswer<Result> =
  | { readonly result: Result }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } }
  | { readonly fault: string }

/** What a thread tells of a task before its answer. */
export interface Progress {
  readonly part: unknown
}

export interface Threads<Task, Result> {
  /** The buffers in `transfer` are moved to the thread, and are empty here afterwards. What it tells meanwhile comes to `onPart`. */
  run(
    task: Task,
    signal: AbortSignal,
    transfer?: readonly ArrayBuffer[],
    onPart?: (part: unknown) => void,
  ): Promise<Result>
  close(): Promise<void>
}

export interface ThreadOptions {
  /** The file that every thread runs; it calls `answerTasks`. */
  readonly entry: URL
  readonly size: number
  /** Milliseconds that one task may take. */
  readonly budget: number
  readonly megabytes: number
  /** Milliseconds after which a thread that has nothing to do is let go. */
  readonly idleTime?: number
  /** What is said of a task that takes too long, or too much memory. */
  readonly says: { readonly tooSlow: string; readonly tooLarge: string }
}

interface Job<Task, Result> {
  readonly task: Task
  readonly transfer: readonly ArrayBuffer[]
  readonly onPart: ((part: unknown) => void) | undefined
  readonly signal: AbortSignal
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  readonly onAbort: () => void
}

const usualIdleTime = 60_000
// Left to itself a thread takes several times as much for what is soon garbage.
const youngMegabytes = 16

/** Threads that do one task at a time and are killed when it takes too long, too much, or is no longer wanted. */
export function makeThreads<Task, Result>(options: ThreadOptions): Threads<Task, Result> {
  const { entry, size, budget, megabytes, says } = options
  const waiting: Job<Task, Result>[] = []
  const idle = new Map<Worker, NodeJS.Timeout>()
  const all = new Set<Worker>()
  let isClosed = false

  const spawn = (): Worker => {
    // Flags of the host's command line are for its own entry: some of them keep a worker from starting.
    const resourceLimits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngMegabytes }
    const worker = new Worker(entry, { execArgv: [], resourceLimits })
    all.add(worker)
    // A thread that was given up may still fail, and an error that nobody hears would end the process.
    worker.on('error', () => undefined)
    worker.unref()
    return worker
  }

  const next = (): void => {
    if (waiting.length === 0 || isClosed) return
    const worker = takeIdle() ?? (all.size < size ? spawn() : undefined)
    const job = worker && waiting.shift()
    if (worker && job) runOn(worker, job)
  }

  /** The one that worked last: the others may be let go. */
  const takeIdle = (): Worker | undefined => {
    const [worker, timer] = [...idle].at(-1) ?? []
    clearTimeout(timer)
    if (worker) idle.delete(worker)
    return worker
  }
  const rest = (worker: Worker): void => {
    const letGo = (): void => {
      idle.delete(worker)
      retire(worker)
    }
    idle.set(worker, setTimeout(letGo, options.idleTime ?? usualIdleTime).unref())
  }

  const retire = (worker: Worker): void => {
    all.delete(worker)
    void worker.terminate()
  }

  const runOn = (worker: Worker, job: Job<Task, Result>): void => {
    const timer = setTimeout(() => abandon(new EngineError('page_too_complex', says.tooSlow)), budget)
    const watch = watchBuffers(worker, megabytes, () => abandon(new EngineError('page_too_complex', says.tooLarge)))
    const finish = (): void => {
      clearTimeout(timer)
      watch.end()
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      job.signal.removeEventListener('abort', stop)
      worker.unref()
    }
    const abandon = (error: unknown): void => {
      finish()
      retire(worker)
      job.reject(error)
      next()
    }
    const stop = (): void => abandon(job.signal.reason)
    job.signal.removeEventListener('abort', job.onAbort)
    job.signal.addEventListener('abort', stop, { once: true })
    const onMessage = (answer: ThreadAnswer<Result> | Progress): void => {
      if ('part' in answer) return job.onPart?.(answer.part)
      finish()
      rest(worker)
      take(answer, job)
      next()
    }
    const onError = (error: Error): void => abandon(died(error, says.tooLarge))
    const onExit = (): void => abandon(closed())
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(job.task, job.transfer)
  }

  return {
    run: (task, signal, transfer = [], onPart) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closed())
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(job), 1)
          reject(signal.reason)
        }
        const job: Job<Task, Result> = { task, transfer, onPart, signal, resolve, reject, onAbort }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.push(job)
        next()
      }),
    close: async () => {
      isClosed = true
      for (const timer of idle.values()) clearTimeout(timer)
      for (const job of waiting.splice(0)) job.reject(closed())
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

const lookEvery = 200

/** Unpacked data lies outside the heap that V8 limits, so it is looked after from here, also while the thread is busy. */
function watchBuffers(worker: Worker, megabytes: number, tooLarge: () => void): { end(): void } {
  let isOver = false
  const look = async (): Promise<void> => {
    const { external_memory: bytes } = await worker.getHeapStatistics()
    if (!isOver && bytes > megabytes * 1_048_576) tooLarge()
  }
  // A thread that has ended meanwhile has no heap to ask about.
  const timer = setInterval(() => void look().catch(() => undefined), lookEvery)
  return {
    end: () => {
      isOver = true
      clearInterval(timer)
    },
  }
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
  return new EngineError('internal', 'A thread of the engine broke. Please report it with the cause.', { cause })
}

function closed(): EngineError {
  return new EngineError('closed', 'The engine was closed while the page was being read.')
}
