import type { Clock } from './clock.ts'

// A longer delay overflows the timer, which then fires at once.
const maxTimerDelay = 2_147_483_647

/**
 * The system clock. A sleep keeps the process alive, because it is awaited: background work (sweeps, heartbeats) must be
 * cancelled by its signal, or must not use `sleep`.
 */
export const systemClock = { now: () => Date.now(), elapsed: () => performance.now(), sleep }

/**
 * Returns a monotonic time in milliseconds, for measuring durations: the wall clock (`now`) may be changed meanwhile. Falls
 * back to `now` for a clock without one.
 */
export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now()
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // Measured without the wall clock, which may be changed during the sleep. A timer may also fire a moment early.
  const end = performance.now() + ms
  do {
    await timer(Math.min(Math.max(end - performance.now(), 0), maxTimerDelay), signal)
  } while (performance.now() < end)
}

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(running)
      reject(signal.reason)
    }
    const running = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, Math.ceil(ms))
    signal.addEventListener('abort', stop, { once: true })
  })
}
