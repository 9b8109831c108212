import { readFileSync } from 'node:fs'

/** The scheduler's account of the main thread, in milliseconds since the process started. */
export interface ThreadTimes {
  readonly running: number
  /** Runnable, but without a core. */
  readonly starved: number
}

/**
 * Reads from Linux how long the main thread has run and has waited for a CPU, in milliseconds. Returns `undefined` on
 * other systems and if `/proc` hides the times.
 */
export function readThreadTimes(): ThreadTimes | undefined {
  try {
    const [running = NaN, starved = NaN] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8')
      .split(' ')
      .map((nanoseconds) => Number(nanoseconds) / 1e6)
    return Number.isFinite(running + starved) ? { running, starved } : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns how long the main thread has run, and was kept waiting by other processes for a CPU, between two readings. In
 * milliseconds.
 */
export function since(before: ThreadTimes, now: ThreadTimes): ThreadTimes {
  return { running: now.running - before.running, starved: now.starved - before.starved }
}
