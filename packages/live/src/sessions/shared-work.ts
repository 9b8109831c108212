import { untilAborted } from '@harvestman/toolbox/until-aborted'

/** Work with several callers, each of which may cancel only its own wait. */
export interface SharedWork<Result> {
  /** Rejects with the reason of the signal when it is aborted. The work is cancelled once all callers have cancelled. */
  join(signal: AbortSignal): Promise<Result>
  readonly isCancelled: boolean
  /** Resolves when the work has ended, also with an error. */
  readonly settled: Promise<unknown>
}

/**
 * Starts work that several callers join, each of which may cancel only its own wait. `join` settles like the work, or rejects
 * with the reason of its signal. The work is aborted once all callers have cancelled.
 */
export function shareWork<Result>(work: (signal: AbortSignal) => Promise<Result>): SharedWork<Result> {
  const all = new AbortController()
  const result = work(all.signal)
  let callers = 0
  return {
    join: async (signal) => {
      callers += 1
      try {
        return await untilAborted(result, signal)
      } finally {
        callers -= 1
        if (callers === 0 && signal.aborted) all.abort(signal.reason)
      }
    },
    get isCancelled() {
      return all.signal.aborted
    },
    settled: result.catch(() => undefined),
  }
}

/**
 * Creates a function that runs one work per key at a time, which concurrent callers share. Work that all callers have cancelled
 * ends before the next one with its key starts. Rejects with the reason of the signal when it is aborted.
 */
export function shareByKey<Result>() {
  const running = new Map<string, SharedWork<Result>>()
  return async (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    let known = running.get(key)
    while (known?.isCancelled) {
      await untilAborted(known.settled, signal)
      known = running.get(key)
    }
    if (known) return known.join(signal)
    const shared = shareWork(work)
    running.set(key, shared)
    void shared.settled.then(() => running.delete(key))
    return shared.join(signal)
  }
}
