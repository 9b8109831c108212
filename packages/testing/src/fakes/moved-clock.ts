import type { Clock } from '@harvestman/ports'

/** A clock that goes as that of the machine does, from a day of its own, and can be moved on. */
export interface MovedClock extends Clock {
  /** Moves it on by so much at once: who sleeps until then wakes. */
  moveOn(ms: number): void
  /** Sets the time of day forth or back, as people and time servers do. No sleep is longer or shorter for that. */
  jump(ms: number): void
}

const newYear2026 = Date.UTC(2026, 0, 1)

/** Makes a clock that goes by itself. For work that takes time of the machine, such as that of threads, among days that pass at once. */
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
