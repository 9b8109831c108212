import { recentlyUsed } from '@harvestman/toolbox/recently-used'

/** Runs work on the calling thread as long as earlier work for the same key was fast. */
export interface InPlace {
  mayRun(key: string): boolean
  /** Runs work for a key, and remembers whether it was slow. */
  run<Result>(key: string, work: () => Result): Result
}

const keysWatched = 1_000
// The first work of a process is slow because its code is not compiled yet.
const maxSlowRuns = 2

/**
 * Creates a runner of work on the calling thread. After two slow runs of a key in a row, of at least `slowTime` milliseconds of
 * CPU time each, `mayRun` is false for the key; `run` does not check that. Errors of the work are thrown.
 */
export function workInPlace(slowTime: number): InPlace {
  const slow = recentlyUsed<string, number>(keysWatched)
  return {
    mayRun: (key) => (slow.get(key) ?? 0) < maxSlowRuns,
    run: (key, work) => {
      const began = timeOfThread()
      const result = work()
      if (timeOfThread() - began >= slowTime) slow.set(key, (slow.get(key) ?? 0) + 1)
      else slow.delete(key)
      return result
    },
  }
}

/**
 * Returns the CPU time of this thread in milliseconds, which is independent of other load; wall-clock time if the runtime does
 * not report it.
 */
function timeOfThread(): number {
  if (!('threadCpuUsage' in process)) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
