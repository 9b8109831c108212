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
  let older: Budget[] = []
  let closed: EngineError | undefined
  // Nothing is late in the turn in which it begins. What is over in the next, as an answer from the cache, needs no timer.
  const watchOlder = (): void => {
    const begun = older
    older = young
    young = []
    for (const budget of begun) budget.watch(running)
    if (older.length > 0) setImmediate(watchOlder)
  }
  return {
    start: (timeout, caller, late = () => timedOut(timeout)) => {
      if (closed) throw closed
      const budget = new Budget(timeout, caller, late)
      young.push(budget)
      if (young.length + older.length === 1) setImmediate(watchOlder)
      return budget
    },
    close: (reason) => {
      closed = reason
      for (const budget of [...young, ...older, ...running]) budget.abort(reason)
    },
  }
}

/** A class, because each request has one: an object literal with a getter has a shape of its own, and is slow to make and to read. */
class Budget implements Deadline {
  readonly #until: number
  readonly #caller: AbortSignal | undefined
  readonly #late: () => EngineError
  #controller: AbortController | undefined
  #refuse: ((reason: EngineError) => void) | undefined
  #unwatch: (() => void) | undefined
  #isOver = false

  constructor(timeout: number, caller: AbortSignal | undefined, late: () => EngineError) {
    this.#until = performance.now() + timeout
    this.#caller = caller
    this.#late = late
  }

  get signal(): AbortSignal {
    this.#isAborted()
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  readonly timeLeft = (): number => (this.#isAborted() ? 0 : this.#rest())

  check(): void {
    if (this.#isAborted()) this.#controller?.signal.throwIfAborted()
  }

  readonly race = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      this.#refuse = reject
      if (this.#isAborted()) reject(this.#controller?.signal.reason)
      work.then(resolve, reject)
    })

  abort(reason: EngineError): void {
    this.#controller ??= new AbortController()
    this.#controller.abort(reason)
    this.#refuse?.(this.#controller.signal.reason as EngineError)
  }

  /** Starts the watch: the work is ended when its time is up or its caller goes, unless it is over. */
  watch(running: Set<Budget>): void {
    if (this.#isOver || this.#isAborted()) return
    const timer = setTimeout(() => this.abort(this.#late()), this.#rest())
    running.add(this)
    const cancel = (): void => this.#cancel()
    this.#caller?.addEventListener('abort', cancel, { once: true })
    this.#unwatch = () => {
      clearTimeout(timer)
      running.delete(this)
      this.#caller?.removeEventListener('abort', cancel)
    }
  }

  end(): void {
    this.#isOver = true
    this.#unwatch?.()
  }

  #rest(): number {
    return Math.max(0, this.#until - performance.now())
  }

  #cancel(): void {
    this.abort(cancelled(this.#caller?.reason))
  }

  #isAborted(): boolean {
    if (this.#caller?.aborted && !this.#controller?.signal.aborted) this.#cancel()
    return this.#controller?.signal.aborted === true
  }
}

function timedOut(timeout: number): EngineError {
  return new EngineError('timeout', `The page did not answer within ${timeout} ms. Raise timeout, or try again later.`)
}

function cancelled(reason: unknown): EngineError {
  if (EngineError.is(reason)) return reason
  return new EngineError('aborted', 'The caller cancelled the request.', { cause: reason })
}
