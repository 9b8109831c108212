import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { modelUnavailable, type ModelKind } from './faults.ts'

interface Deadline {
  readonly signal: AbortSignal
  readonly ms: number
  readonly kind: ModelKind
}

/**
 * Aborts the work after `ms` milliseconds with a timeout error, and when it fails, so that its other requests end too. Rejects
 * at once when it is aborted, even if the work ignores its signal.
 */
export async function withDeadline<T>(
  { signal, ms, kind: { subject } }: Deadline,
  work: (both: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const deadline = new AbortController()
  const timer = setTimeout(() => {
    deadline.abort(modelUnavailable('timeout', `${subject} did not answer within ${ms / 1000} seconds.`))
  }, ms)
  try {
    const both = AbortSignal.any([signal, deadline.signal])
    return await untilAborted(work(both), both)
  } catch (error) {
    // A failure after the abort was caused by it, so throw the abort reason instead.
    signal.throwIfAborted()
    deadline.signal.throwIfAborted()
    deadline.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}
