import { Worker } from 'node:worker_threads'

import type { ErrorCode } from '../errors/codes.ts'
import { EngineError, type ErrorDetails } from '../errors/error.ts'
import type { ReadResult } from '../scrape/reader.ts'
import type { PageTask } from './read-page.ts'

/** What a worker says about a page. */
export type Answer =
  | { readonly result: ReadResult }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } }
  | { readonly fault: string }

export interface Pool {
  run(task: PageTask, signal: AbortSignal): Promise<ReadResult>
  close(): Promise<void>
}

export interface PoolOptions {
  readonly size: number
  /** Milliseconds that one page may be read for. */
  readonly budget: number
  readonly megabytes: number
}

interface Job {
  readonly task: PageTask
  readonly signal: AbortSignal
  readonly resolve: (result: ReadResult) => void
  readonly reject: (error: unknown) => void
  readonly onAbort: () => void
}

// Sources run unbuilt in this repository and built in packages.
const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** Threads that read one page at a time and are killed when a page takes too long, too much, or is no longer wanted. */
export function makePool({ size, budget, megabytes }: PoolOptions): Pool {
  const waiting: Job[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let isClosed = false

  const spawn = (): Worker => {
    // Flags of the host's command line are for its own entry: some of them keep a worker from starting.
    const worker = new Worker(entry, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } })
    all.add(worker)
    // A thread that was given up may still fail, and an error that nobody hears would end the process.
    worker.on('error', () => undefined)
    worker.unref()
    return worker
  }
  const next = (): void => {
    if (waiting.length === 0 || isClosed) return
    const worker = idle.pop() ?? (all.size < size ? spawn() : undefined)
    const job = worker && waiting.shift()
    if (worker && job) runOn(worker, job)
  }
  const retire = (worker: Worker): void => {
    all.delete(worker)
    void worker.terminate()
  }
  const runOn = (worker: Worker, job: Job): void => {
    const timer = setTimeout(() => abandon(tooSlow(budget)), budget)
    const finish = (): void => {
      clearTimeout(timer)
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
    const onMessage = (answer: Answer): void => {
      finish()
      idle.push(worker)
      take(answer, job)
      next()
    }
    const onError = (error: Error): void => abandon(died(error))
    const onExit = (): void => abandon(closed())
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(job.task)
  }
  return {
    run: (task, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closed())
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(job), 1)
          reject(signal.reason)
        }
        const job: Job = { task, signal, resolve, reject, onAbort }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.push(job)
        next()
      }),
    close: async () => {
      isClosed = true
      for (const job of waiting.splice(0)) job.reject(closed())
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

function take(answer: Answer, { resolve, reject }: Job): void {
  if ('result' in answer) return resolve(answer.result)
  if ('fault' in answer) return reject(new Error(answer.fault))
  const { code, message, details } = answer.error
  reject(new EngineError(code, message, { details }))
}

function tooSlow(budget: number): EngineError {
  return new EngineError(
    'page_too_complex',
    `The page could not be read within ${budget} ms. Exclude parts of it, or raise limits.readTime.`,
  )
}

function died(cause: Error): EngineError {
  if ('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new EngineError('page_too_complex', 'Reading the page took more memory than one page may have.', { cause })
  }
  return new EngineError('internal', 'The thread that reads pages broke. Please report it with the cause.', { cause })
}

function closed(): EngineError {
  return new EngineError('closed', 'The engine was closed while the page was being read.')
}
