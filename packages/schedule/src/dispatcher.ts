import { elapsed } from '@harvestman/ports/adapters'
import type { Clock } from '@harvestman/ports'
import type { Scheduler, HostTurn } from './scheduler.ts'

/** Has visits begin as soon as they may. */
export interface Dispatcher {
  /** Starts all that may start now. */
  dispatch(): void
  close(): void
}

/** Drives the scheduler with one timer. */
export function makeDispatcher(scheduler: Scheduler, clock: Clock, start: (turn: HostTurn) => void): Dispatcher {
  let timer: AbortController | undefined
  let isBusy = false
  let isClosed = false

  const startAll = (): number => {
    for (;;) {
      const { turn, waitUntil } = scheduler.next()
      if (!turn) return waitUntil
      start(turn)
    }
  }

  const dispatch = (): void => {
    // A visit that starts may end at once, and ask again: the loop that is under way sees to it.
    if (isBusy || isClosed) return
    isBusy = true
    const waitUntil = startAll()
    isBusy = false
    timer?.abort()
    timer = undefined
    if (waitUntil === Number.POSITIVE_INFINITY) return
    timer = new AbortController()
    clock.sleep(Math.max(waitUntil - elapsed(clock), 1), timer.signal).then(dispatch, () => undefined)
  }

  return {
    dispatch,
    close: () => {
      isClosed = true
      timer?.abort()
    },
  }
}
