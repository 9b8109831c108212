import { EngineError } from '@harvestman/ports'

/** What is left of a budget of time. */
export interface TimeLeft {
  readonly signal: AbortSignal
  /** Milliseconds until the time is up; 0 when the signal is aborted. */
  timeLeft(): number
}

/** One budget of time for all the work of a request, as one signal. */
export interface Deadline extends TimeLeft {
  /** Settles as the work does, or rejects as soon as the time is up, whatever the work does then. */
  race<T>(work: Promise<T>): Promise<T>
  /** Must be called when the work is over. */
  end(): void
}

/** The deadlines of one engine, which end all at once when it is closed. */
export interface Deadlines {
  /** Starts a budget. Its signal is aborted with a typed error: with what `late` makes when the time is up, or when the caller cancels. */
  start(timeout: number, caller: AbortSignal | undefined, late?: () => EngineError): Deadline
  /** Aborts all that are running, and every later one at its start. */
  close(reason: EngineError): void
}

export function makeDeadlines(): Deadlines {
  // A set, and not a listener each on one signal: taking one of many listeners away takes a walk over all of them.
  const running = new Set<(reason: EngineError) => void>()
  let closed: EngineError | undefined
  return {
    start: (timeout, caller, late = () => timedOut(timeout)) => {
      if (closed) throw closed
      const controller = new AbortController()
      let refuse: ((reason: EngineError) => void) | undefined
      const abort = (reason: EngineError): void => {
        controller.abort(reason)
        refuse?.(reason)
      }
      const end = performance.now() + timeout
      const cancel = (): void => abort(cancelled(caller?.reason))
      const timer = setTimeout(() => abort(late()), timeout)
      running.add(abort)
      if (caller?.aborted) cancel()
      caller?.addEventListener('abort', cancel, { once: true })
      return {
        signal: controller.signal,
        timeLeft: () => (controller.signal.aborted ? 0 : Math.max(0, end - performance.now())),
        race: (work) =>
          new Promise((resolve, reject) => {
            refuse = reject
            if (controller.signal.aborted) reject(controller.signal.reason)
            work.then(resolve, reject)
          }),
        end: () => {
          clearTimeout(timer)
          running.delete(abort)
          caller?.removeEventListener('abort', cancel)
        },
      }
    },
    close: (reason) => {
      closed = reason
      for (const abort of running) abort(reason)
    },
  }
}

function timedOut(timeout: number): EngineError {
  return new EngineError('timeout', `The page did not answer within ${timeout} ms. Raise timeout, or try again later.`)
}

function cancelled(reason: unknown): EngineError {
  if (EngineError.is(reason)) return reason
  return new EngineError('aborted', 'The caller cancelled the request.', { cause: reason })
}
