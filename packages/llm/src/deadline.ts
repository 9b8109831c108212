import { modelUnavailable } from './faults.ts'

interface Deadline {
  readonly signal: AbortSignal
  readonly ms: number
  /** What runs, for the message, such as `The language model`. */
  readonly subject: string
}

/** Aborts the work after `ms` milliseconds with a timeout error. */
export async function withDeadline<T>(
  { signal, ms, subject }: Deadline,
  work: (both: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const deadline = new AbortController()
  const timer = setTimeout(() => {
    deadline.abort(modelUnavailable('timeout', `${subject} did not answer within ${ms / 1000} seconds.`))
  }, ms)
  try {
    return await work(AbortSignal.any([signal, deadline.signal]))
  } catch (error) {
    // A failure after the abort was caused by it, so throw the abort reason instead.
    signal.throwIfAborted()
    deadline.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
