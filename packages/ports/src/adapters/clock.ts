import type { Clock } from '../clock.ts'

// A longer delay overflows the timer, which then fires at once.
const longestTimer = 2_147_483_647

/**
 * The clock of the machine. A sleep keeps the process alive, because it is awaited: work that is not awaited
 * (sweeps, heartbeats) must be cancelled by its signal, or not sleep at all.
 */
export const systemClock = { now: () => Date.now(), elapsed: () => performance.now(), sleep }

/** For measuring how long something takes: `now` may be set forth and back while it does. */
export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now()
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // Measured without the wall clock, which may be set while we sleep. A timer may also fire a moment early.
  const end = performance.now() + ms
  do {
    await timer(Math.min(Math.max(end - performance.now(), 0), longestTimer), signal)
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
