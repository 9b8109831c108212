/** One poll of the main thread. */
export interface Poll {
  /** Number of event-loop turns that the main thread has completed. */
  readonly beats: number
  /** Milliseconds since the previous poll, by the clock of the polling thread. */
  readonly elapsed: number
  /** Milliseconds since the previous poll that the main thread ran, and that it was runnable without a core; 0 if unknown. */
  readonly running: number
  readonly starved: number
}

/** Accumulates how long the main thread has been stuck. */
export interface StuckTime {
  /** Adds a poll and returns the milliseconds that the main thread has been stuck. */
  add(poll: Poll): number
  reset(): void
}

/**
 * Creates the measure of how long the main thread has been stuck, in milliseconds; 0 after each sign of life. CPU time counts in
 * full, even if the polls themselves are late on a busy host. Other time counts up to twice the interval: after a longer gap the
 * whole process did not run (suspended host, SIGSTOP, frozen container). Time in which the main thread had no CPU core does not
 * count.
 */
export function makeStuckTime(interval: number): StuckTime {
  let known = -1
  let stuck = 0
  return {
    add: ({ beats, elapsed, running, starved }) => {
      const hasMoved = beats !== known
      known = beats
      // Negative when a wait ends, because Linux accounts for it only then.
      const blocked = Math.min(elapsed - running - starved, interval * 2)
      stuck = hasMoved ? 0 : Math.max(0, stuck + running + blocked)
      return stuck
    },
    reset: () => {
      stuck = 0
    },
  }
}
