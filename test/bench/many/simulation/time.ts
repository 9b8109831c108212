// Time that passes as fast as the work in it is done. Timers of the whole process run by it, so that the code under
// simulation is the code that ships.
import type { Clock } from '@harvestman/core/ports'

export interface SimulatedTime {
  readonly clock: Clock
  /** Milliseconds since the beginning. */
  now(): number
  sleep(ms: number): Promise<void>
  /** Lets time pass until it is done. */
  run(isDone: () => boolean): Promise<void>
}

interface Timer {
  readonly work: () => void
  readonly every: number | undefined
  isCleared: boolean
  ref(): Timer
  unref(): Timer
}

const epoch = 1_700_000_000_000

/** Takes over the timers of this process. */
export function takeOverTime(): SimulatedTime {
  // All timers of a millisecond stand together; the milliseconds that have some are in order.
  const due = new Map<number, Timer[]>()
  const order: number[] = []
  let now = 0
  const arm = (timer: Timer, ms: number): Timer => {
    const at = Math.ceil(now + Math.max(ms, 0))
    const others = due.get(at)
    if (others) others.push(timer)
    else {
      due.set(at, [timer])
      push(order, at)
    }
    return timer
  }
  const make = (work: () => void, every?: number): Timer => {
    const timer: Timer = { work, every, isCleared: false, ref: () => timer, unref: () => timer }
    return timer
  }
  const clear = (timer?: Timer): void => {
    if (timer) timer.isCleared = true
  }
  const turn = globalThis.setImmediate
  Object.assign(globalThis, {
    setImmediate: (work: () => void) => arm(make(work), 0),
    setTimeout: (work: (...all: unknown[]) => void, ms = 0, ...all: unknown[]) =>
      arm(
        make(() => work(...all)),
        ms,
      ),
    setInterval: (work: () => void, ms = 1) => arm(make(work, ms), ms),
    clearTimeout: clear,
    clearInterval: clear,
  })
  const fire = (timer: Timer): void => {
    if (timer.isCleared) return
    if (timer.every !== undefined) arm(timer, timer.every)
    timer.work()
  }
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void arm(make(resolve), ms))
  const patient = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const timer = make(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
      const stop = (): void => {
        timer.isCleared = true
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      arm(timer, ms)
    })
  return {
    clock: { now: () => epoch + now, elapsed: () => now, sleep: patient },
    now: () => now,
    sleep,
    run: async (isDone) => {
      while (!isDone()) {
        await new Promise((resolve) => turn(resolve))
        const next = pop(order)
        if (next === undefined) throw new Error('Nothing is left to happen.')
        now = Math.max(now, next)
        const timers = due.get(next) ?? []
        due.delete(next)
        timers.forEach(fire)
      }
    },
  }
}

function push(heap: number[], value: number): void {
  let at = heap.push(value) - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    if (heap[above]! <= value) break
    heap[at] = heap[above]!
    at = above
  }
  heap[at] = value
}

function pop(heap: number[]): number | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return first
  let at = 0
  for (;;) {
    let below = at * 2 + 1
    if (below >= heap.length) break
    if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below += 1
    if (heap[below]! >= last) break
    heap[at] = heap[below]!
    at = below
  }
  heap[at] = last
  return first
}
