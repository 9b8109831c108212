/** The time as a port, so that tests and replays can replace it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since an arbitrary moment, monotonic even if the system time is changed. `now` is used when absent. */
  elapsed?(): number
  /** Must not end early, and must reject with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
