import { recentlyUsed } from '@harvestman/ports/adapters'

/** Work that is done on the calling thread as long as what it is for has not been slow. */
export interface InPlace {
  mayRun(key: string): boolean
  /** Does work for a key, and remembers whether it was slow. */
  run<Result>(key: string, work: () => Result): Result
}

const keysWatched = 1_000
// The first work of a process takes long because its code is new.
const mostSlow = 2

/** Work of a key that took so many milliseconds of the processor twice in a row is not for the calling thread any more. */
export function workInPlace(slowTime: number): InPlace {
  const slow = recentlyUsed<string, number>(keysWatched)
  return {
    mayRun: (key) => (slow.get(key) ?? 0) < mostSlow,
    run: (key, work) => {
      const began = timeOfThread()
      const result = work()
      if (timeOfThread() - began >= slowTime) slow.set(key, (slow.get(key) ?? 0) + 1)
      else slow.delete(key)
      return result
    },
  }
}

/** By the processor, as the clock of a busy machine tells nothing of the work; by the clock where a runtime tells no more. */
function timeOfThread(): number {
  if (!('threadCpuUsage' in process)) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
