/** The time, as a port: tests and replays bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds from some moment on that only grow, also when the time of the machine is set. It is `now` when absent. */
  elapsed?(): number
  /** Must not end before its time, and must reject with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
