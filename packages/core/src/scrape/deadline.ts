import { EngineError } from '@harvestman/ports'

/** Remaining part of a budget of time. */
export interface TimeLeft {
  readonly signal: AbortSignal
  /** Milliseconds until the time is up; 0 when the signal is aborted. */
  timeLeft(): number
  /** Throws what the signal is aborted with, if it is. */
  check(): void
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
  const running = new Set<Budget>()
  let young: Budget[] = []
  let closed: EngineError | undefined
  // Nothing is late in the turn in which it begins. What is over by then, as an answer from the cache, needs no timer.
  const watchYoung = (): void => {
    const begun = young
    young = []
    for (const budget of begun) budget.watch(running)
  }
  return {
    start: (timeout, caller, late = () => timedOut(timeout)) => {
      if (closed) throw closed
      const budget = makeBudget(timeout, caller, late)
      if (young.push(budget) === 1) setImmediate(watchYoung)
      return budget
    },
    close: (reason) => {
      closed = reason
      watchYoung()
      for (const { abort } of running) abort(reason)
    },
  }
}

interface Budget extends Deadline {
  /** Starts the watch: the work is ended when its time is up or its caller goes, unless it is over. */
  watch(running: Set<Budget>): void
  abort(reason: EngineError): void
}

function makeBudget(timeout: number, caller: AbortSignal | undefined, late: () => EngineError): Budget {
  const until = performance.now() + timeout
  let controller: AbortController | undefined
  let refuse: ((reason: EngineError) => void) | undefined
  let isOver = false
  let unwatch: (() => void) | undefined
  const abort = (reason: EngineError): void => {
    controller ??= new AbortController()
    controller.abort(reason)
    refuse?.(controller.signal.reason as EngineError)
  }
  const cancel = (): void => abort(cancelled(caller?.reason))
  const isAborted = (): boolean => {
    if (caller?.aborted && !controller?.signal.aborted) cancel()
    return controller?.signal.aborted === true
  }
  const budget: Budget = {
    get signal() {
      isAborted()
      controller ??= new AbortController()
      return controller.signal
    },
    timeLeft: () => (isAborted() ? 0 : Math.max(0, until - performance.now())),
    check: () => {
      if (isAborted()) controller?.signal.throwIfAborted()
    },
    race: (work) =>
      new Promise((resolve, reject) => {
        refuse = reject
        if (isAborted()) reject(controller?.signal.reason)
        work.then(resolve, reject)
      }),
    abort,
    watch: (running) => {
      if (isOver || isAborted()) return
      const timer = setTimeout(() => abort(late()), Math.max(0, until - performance.now()))
      running.add(budget)
      caller?.addEventListener('abort', cancel, { once: true })
      unwatch = () => {
        clearTimeout(timer)
        running.delete(budget)
        caller?.removeEventListener('abort', cancel)
      }
    },
    end: () => {
      isOver = true
      unwatch?.()
    },
  }
  return budget
}

function timedOut(timeout: number): EngineError {
  return new EngineError('timeout', `The page did not answer within ${timeout} ms. Raise timeout, or try again later.`)
}

function cancelled(reason: unknown): EngineError {
  if (EngineError.is(reason)) return reason
  return new EngineError('aborted', 'The caller cancelled the request.', { cause: reason })
}
