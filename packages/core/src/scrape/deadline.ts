import { EngineError } from '@harvestman/ports'

/** Remaining time of an operation. */
export interface TimeLeft {
  readonly signal: AbortSignal
  /** Returns the milliseconds that are left; 0 if the signal is aborted. */
  timeLeft(): number
  /** Throws the abort reason if the signal is aborted. */
  check(): void
}

/** Deadline of a request, as a single signal. */
export interface Deadline extends TimeLeft {
  /** Settles with the work, or rejects as soon as the time is up, even if the work continues. */
  race<T>(work: Promise<T>): Promise<T>
  /** Must be called when the work has ended. */
  end(): void
}

/** All deadlines of one engine. Closing the engine aborts them. */
export interface Deadlines {
  /**
   * Starts a deadline. Its signal aborts with the error from `late` when the time is up, and with the caller's reason when the
   * caller cancels, as an `aborted` error if it is no `EngineError`.
   */
  start(timeout: number, caller: AbortSignal | undefined, late?: () => EngineError): Deadline
  /** Aborts all running deadlines, and makes `start` throw. */
  close(reason: EngineError): void
}

/** Creates the deadlines of one engine. After `close`, all running ones are aborted and `start` throws the reason. */
export function makeDeadlines(): Deadlines {
  // A set rather than listeners on a shared signal: removing one of many listeners walks over all of them.
  const running = new Set<Budget>()
  let young: Budget[] = []
  let older: Budget[] = []
  let closed: EngineError | undefined
  // A deadline gets a timer only after two turns of the event loop. Work that ends earlier, such as a cache hit, needs none.
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

/** A class because every request creates one: an object literal with a getter is slow to create and to read. */
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

  /** Starts the timer and listens for cancellation, unless the work has ended. */
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
  return new EngineError('timeout', `The page did not respond within ${timeout} ms. Raise timeout, or try again later.`)
}

/** Returns the error of a request that its caller cancelled for a reason. */
export function cancelled(reason: unknown): EngineError {
  if (EngineError.is(reason)) return reason
  return new EngineError('aborted', 'The caller cancelled the request.', { cause: reason })
}
