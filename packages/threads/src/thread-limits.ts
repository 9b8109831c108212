import type { Worker } from 'node:worker_threads'

/** Limits of one task in a thread. */
export interface TaskLimits {
  /** CPU time in milliseconds; wall-clock time if the runtime does not report CPU time. */
  readonly budget: number
  /** Memory outside of the heap. The heap is limited by V8. */
  readonly megabytes: number
}

export interface TaskWatch {
  end(): void
}

type WatchedThread = Pick<Worker, 'getHeapStatistics' | 'cpuUsage'>

const pollInterval = 200
// Factor for the wall-clock limit of a task: on a busy host a thread waits for the CPU.
const slack = 6

/**
 * Monitors a task from another thread, so that it also works while the task's thread is busy. `budget` is in milliseconds of
 * CPU time; `megabytes` is memory outside of the JavaScript heap. Calls one of the functions when a limit is exceeded;
 * `starved` if the task did not get its CPU time within 6 times the budget. `tooLarge` may be called repeatedly until `end`,
 * which stops monitoring.
 */
export function watchTask(
  worker: WatchedThread,
  { budget, megabytes }: TaskLimits,
  over: { readonly tooSlow: () => void; readonly starved: () => void; readonly tooLarge: () => void },
): TaskWatch {
  const began = performance.now()
  let isOver = false
  let before: number | undefined
  /** Returns the CPU time of the task. */
  const used = async (): Promise<number | undefined> => {
    const cpu = await cpuTime(worker)
    if (cpu === undefined) return undefined
    // Before the first measurement, the task is assumed to have had the CPU for itself, for at most one polling interval: a
    // late measurement indicates a busy host.
    before ??= cpu - Math.min(performance.now() - began, pollInterval)
    return cpu - before
  }
  const look = async (): Promise<void> => {
    const [heap] = await Promise.all([worker.getHeapStatistics(), used()])
    if (!isOver && heap.external_memory > megabytes * 1_048_576) over.tooLarge()
  }
  const checkTime = async (): Promise<void> => {
    const took = performance.now() - began
    // A task that used its CPU time is stopped earlier, so this one did not get it.
    if (before !== undefined && took >= budget * slack) return over.starved()
    // A thread that is still starting cannot be measured, and has used nothing.
    const had = await used().catch(() => 0)
    const left = budget - (had ?? budget)
    if (isOver) return
    if (left <= 0) over.tooSlow()
    else timer = setTimeout(() => void checkTime().catch(ignore), Math.ceil(left))
  }
  let timer = setTimeout(() => void checkTime().catch(ignore), budget)
  const looks = setInterval(() => void look().catch(ignore), pollInterval)
  return {
    end: () => {
      isOver = true
      clearTimeout(timer)
      clearInterval(looks)
    },
  }
}

// A thread that has ended meanwhile cannot be measured.
const ignore = (): void => undefined

async function cpuTime(worker: WatchedThread): Promise<number | undefined> {
  if (!('cpuUsage' in worker)) return undefined
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1_000
}
