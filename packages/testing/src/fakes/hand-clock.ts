import type { Clock } from '@harvestman/ports'

/** A clock that moves only when the test moves it. */
export interface HandClock extends Clock {
  /**
   * Advances the clock. Sleeps end in chronological order, each at its own time. All effects of one, including new sleeps,
   * happen before the next one ends.
   */
  pass(ms: number): Promise<void>
  /** Changes the wall clock forwards or backwards, as users and time servers do. The length of sleeps is not affected. */
  jump(ms: number): void
  /** Number of pending sleeps. */
  readonly sleeping: number
  /** How often the time was read. */
  readonly reads: number
}

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

const newYear2026 = Date.UTC(2026, 0, 1)

/** Creates a clock that is moved by hand. `start` is in milliseconds since 1970, by default the start of 2026. */
export function handClock(start: number = newYear2026): HandClock {
  const sleepers = new Set<Sleeper>()
  let time = start
  let jumped = 0
  let reads = 0

  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.throwIfAborted()
      const stop = () => {
        sleepers.delete(sleeper)
        reject(signal.reason)
      }
      const wake = () => {
        sleepers.delete(sleeper)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const sleeper = { due: time + Math.max(ms, 0), wake }
      sleepers.add(sleeper)
      signal.addEventListener('abort', stop, { once: true })
    })

  const next = (end: number) => {
    const due = [...sleepers].filter((sleeper) => sleeper.due <= end)
    return due.sort((one, other) => one.due - other.due)[0]
  }

  return {
    now() {
      reads += 1
      return time + jumped
    },
    elapsed: () => time - start,
    jump(ms) {
      jumped += ms
    },
    sleep,
    async pass(ms) {
      const end = time + ms
      await settle()
      for (let sleeper = next(end); sleeper; sleeper = next(end)) {
        time = Math.max(time, sleeper.due)
        sleeper.wake()
        await settle()
      }
      time = Math.max(time, end)
      await settle()
    },
    get sleeping() {
      return sleepers.size
    },
    get reads() {
      return reads
    },
  }
}

/**
 * Waits some turns of the event loop, in which pending work continues that needs neither time nor the network. Other
 * work may not be done afterwards.
 */
export async function settle(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
