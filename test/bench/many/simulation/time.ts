// Time that passes as fast as the work in it is done. Timers of the whole process run by it, so that the code under
// simulation is the code that ships.
import { AsyncLocalStorage } from 'node:async_hooks'

import type { Clock } from '@harvestman/ports'

export interface SimulatedTime {
  readonly clock: Clock
  /** Milliseconds since the beginning. */
  now(): number
  sleep(ms: number): Promise<void>
  /** All timers that this starts, and what follows from it, belong to the owner; or to nothing that may end. */
  within<T>(owner: TimerOwner | undefined, work: () => T): T
  /** Lets time pass until it is done; throws when it is not within so many milliseconds. */
  run(isDone: () => boolean, within: number): Promise<void>
}

/** What runs timers: when it has ended, none of them fires any more, and nothing holds what they would have done. */
export interface TimerOwner {
  readonly isDead: boolean
}

interface Timer {
  work: (() => void) | undefined
  readonly every: number | undefined
  readonly owner: TimerOwner | undefined
  ref(): Timer
  unref(): Timer
}

const epoch = 1_700_000_000_000

/** Takes over the timers of this process. */
// oxlint-disable-next-line max-lines-per-function -- the timers of Node, over one list of what is due
export function takeOverTime(): SimulatedTime {
  // All timers of a millisecond stand together; the milliseconds that have some are in order.
  const due = new Map<number, Timer[]>()
  const order: number[] = []
  const owners = new AsyncLocalStorage<TimerOwner | undefined>()
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
    const timer: Timer = { work, every, owner: owners.getStore(), ref: () => timer, unref: () => timer }
    return timer
  }
  const clear = (timer?: Timer): void => {
    if (timer) timer.work = undefined
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
  Object.assign(AbortSignal, {
    timeout: (ms: number) => {
      const over = new AbortController()
      arm(
        make(() => over.abort(new DOMException('It took too long.', 'TimeoutError'))),
        ms,
      )
      return over.signal
    },
  })
  const fire = (timer: Timer): void => {
    const { work, owner, every } = timer
    if (!work || owner?.isDead) return
    if (every !== undefined) arm(timer, every)
    if (owner) owners.run(owner, work)
    else work()
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
        clear(timer)
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      arm(timer, ms)
    })
  return {
    clock: { now: () => epoch + now, elapsed: () => now, sleep: patient },
    now: () => now,
    sleep,
    within: (owner, work) => owners.run(owner, work),
    run: async (isDone, within) => {
      const end = now + within
      for (;;) {
        await new Promise((resolve) => turn(resolve))
        if (isDone()) return
        const next = pop(order)
        if (next === undefined || next > end) throw new Error('It has not ended in its time.')
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
