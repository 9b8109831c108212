import type { Clock } from '@harvestman/ports'

/** A clock that runs at the speed of the system clock, from a given start, and can be moved forwards. */
export interface MovedClock extends Clock {
  /** Moves it forwards by this many milliseconds at once: sleeps that end until then wake. */
  moveOn(ms: number): void
  /** Changes the wall clock forwards or backwards, as users and time servers do. The length of sleeps is not affected. */
  jump(ms: number): void
}

const newYear2026 = Date.UTC(2026, 0, 1)

/**
 * Creates a clock that runs by itself from `start`, in milliseconds since 1970, by default the start of 2026. For tests in
 * which real work, for example of threads, alternates with days that pass at once.
 */
export function movedClock(start: number = newYear2026): MovedClock {
  const began = performance.now()
  const sleepers = new Set<() => void>()
  let moved = 0
  let jumped = 0
  const elapsed = (): number => Math.floor(performance.now() - began) + moved
  return {
    now: () => start + elapsed() + jumped,
    elapsed,
    jump: (ms) => void (jumped += ms),
    moveOn: (ms) => {
      moved += ms
      for (const look of sleepers) look()
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const due = elapsed() + Math.max(ms, 0)
        let timer: NodeJS.Timeout | undefined
        const settle = (done: () => void): void => {
          clearTimeout(timer)
          sleepers.delete(look)
          signal.removeEventListener('abort', stop)
          done()
        }
        const stop = (): void => settle(() => reject(signal.reason))
        const look = (): void => {
          const left = due - elapsed()
          if (left <= 0) return settle(resolve)
          clearTimeout(timer)
          timer = setTimeout(look, Math.min(left, 2_000_000_000))
        }
        sleepers.add(look)
        signal.addEventListener('abort', stop, { once: true })
        look()
      }),
  }
}
