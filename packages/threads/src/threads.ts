import { Worker } from 'node:worker_threads'

import { EngineError, type ErrorCode, type ErrorDetails } from '@harvestman/ports'
import { usualBound, type DocumentBound } from './document-bound.ts'
import { makeRecentUse } from './recent-use.ts'
import { makeSemaphore } from '@harvestman/ports/adapters'
import { watchTask, type TaskLimits } from './thread-limits.ts'

/** What a thread is told when it starts. */
export interface ThreadData {
  /** It does the work of teams that use more than their share: others come first at the processor. */
  readonly isBackground: boolean
}

/** What a thread is given to do. */
export interface ThreadTask<Task> {
  readonly task: Task
  readonly most: DocumentBound
}

/** What a thread says about a task. */
export type ThreadAnswer<Result> =
  | { readonly result: Result }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } }
  | { readonly fault: string }

/** What a thread tells of a task before its answer. */
export interface Progress {
  readonly part: unknown
}

/** Threads that run tasks and can be killed. */
export interface Threads<Task, Result> {
  run(task: Task, signal: AbortSignal, options?: RunOptions): Promise<Result>
  close(): Promise<void>
}

export interface RunOptions {
  /** Whose task it is: while threads are busy, teams come in turns. */
  readonly team?: string
  /** Moved to the thread, and empty here afterwards. */
  readonly transfer?: readonly ArrayBuffer[]
  /** Is told what the thread tells before its answer. */
  readonly onPart?: (part: unknown) => void
  /** The most that the answer may hold; what is more is refused in the thread, before it is copied to this one. */
  readonly most?: DocumentBound
}

/** Options of `makeThreads`. */
export interface ThreadOptions extends TaskLimits {
  /** The file that every thread runs; it calls `answerTasks`. */
  readonly entry: URL
  /** Threads at once. A team that has none at work gets one more, up to twice as many. */
  readonly size: number
  /** Milliseconds after which a thread that has nothing to do is let go. */
  readonly idleTime?: number
  /** What is said of a task that takes too long, or too much memory. */
  readonly says: { readonly tooSlow: string; readonly tooLarge: string }
}

const starved = 'The machine was too busy to read this in time. Ask again when it has less to do.'

interface Job<Task, Result> {
  readonly task: Task
  readonly options: RunOptions
  readonly signal: AbortSignal
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const usualIdleTime = 60_000
// Starting one takes longer than most tasks, so also one that is not always needed is kept for the next.
const spareIdleTime = 5_000
// A team that has kept a thread busy for this part of the time gives way to teams that use less.
const muchUse = 0.25
// Left to itself a thread takes several times as much for what is soon garbage.
const youngMegabytes = 16

/** Threads that do one task at a time and are killed when it takes too long, too much, or is no longer wanted. */
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

/** The threads of one pool: those that work, and those that rest until they are let go. */
interface Workers {
  take(): Worker
  /** It has nothing to do. */
  rest(worker: Worker): void
  /** It does something that is not wanted any more. */
  retire(worker: Worker): void
  close(): Promise<void>
}

function makeWorkers(
  { entry, size, megabytes, idleTime = usualIdleTime }: ThreadOptions,
  data: ThreadData = { isBackground: false },
): Workers {
  const idle = new Map<Worker, NodeJS.Timeout>()
  const all = new Set<Worker>()
  const spawn = (): Worker => {
    // Flags of the host's command line are for its own entry: some of them keep a worker from starting.
    const resourceLimits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngMegabytes }
    const worker = new Worker(entry, { execArgv: [], resourceLimits, workerData: data })
    all.add(worker)
    // A thread that was given up may still fail, and an unheard error would end the process.
    worker.on('error', () => undefined)
    // A timer that a task left behind may end an idle thread, which would never run another task.
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
    /** The one that worked last: the others may be let go. */
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
  const { says } = options
  const { transfer = [], onPart, most = usualBound } = job.options
  const worker = workers.take()
  const tooComplex = (message: string) => (): void => abandon(new EngineError('page_too_complex', message))
  const watch = watchTask(worker, options, {
    tooSlow: tooComplex(says.tooSlow),
    tooLarge: tooComplex(says.tooLarge),
    // It says nothing of the page, so it may be tried again.
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
  const onError = (error: Error): void => abandon(died(error, says.tooLarge))
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
  return new EngineError('internal', 'A thread of the engine broke. Please report it with the cause.', { cause })
}

function closed(): EngineError {
  return new EngineError('closed', 'The engine was closed while the page was being read.')
}
