import type { Worker } from 'node:worker_threads'

/** What one task of a thread may take. */
export interface TaskLimits {
  /** Milliseconds of the processor; of the clock, where the runtime does not tell them. */
  readonly budget: number
  /** Outside of the heap, which V8 limits. */
  readonly megabytes: number
}

export interface TaskWatch {
  end(): void
}

type WatchedThread = Pick<Worker, 'getHeapStatistics' | 'cpuUsage'>

const lookEvery = 200
// By the clock a task may take so many times its budget: on a busy machine a thread waits for the processor.
const slack = 6

/** Watches a task from another thread, also while its own is busy. */
export function watchTask(
  worker: WatchedThread,
  { budget, megabytes }: TaskLimits,
  over: { readonly tooSlow: () => void; readonly starved: () => void; readonly tooLarge: () => void },
): TaskWatch {
  const began = performance.now()
  let isOver = false
  let before: number | undefined
  /** How much of the processor the task had. */
  const used = async (): Promise<number | undefined> => {
    const cpu = await cpuTime(worker)
    if (cpu === undefined) return undefined
    // Until it is asked first, a task is taken to have had the processor for itself; a question that comes late tells of a busy machine.
    before ??= cpu - Math.min(performance.now() - began, lookEvery)
    return cpu - before
  }
  const look = async (): Promise<void> => {
    const [heap] = await Promise.all([worker.getHeapStatistics(), used()])
    if (!isOver && heap.external_memory > megabytes * 1_048_576) over.tooLarge()
  }
  const checkTime = async (): Promise<void> => {
    const took = performance.now() - began
    // One that had its time of the processor is stopped before: this one was not given it.
    if (before !== undefined && took >= budget * slack) return over.starved()
    // One that is not up yet cannot be asked, and has had nothing.
    const had = await used().catch(() => 0)
    const left = budget - (had ?? budget)
    if (isOver) return
    if (left <= 0) over.tooSlow()
    else timer = setTimeout(() => void checkTime().catch(ignore), Math.ceil(left))
  }
  let timer = setTimeout(() => void checkTime().catch(ignore), budget)
  const looks = setInterval(() => void look().catch(ignore), lookEvery)
  return {
    end: () => {
      isOver = true
      clearTimeout(timer)
      clearInterval(looks)
    },
  }
}

// A thread that has ended meanwhile cannot be asked.
const ignore = (): void => undefined

async function cpuTime(worker: WatchedThread): Promise<number | undefined> {
  if (!('cpuUsage' in worker)) return undefined
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1_000
}
