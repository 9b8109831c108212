import { elapsed, type Clock } from '@harvestman/ports'
import type { Scheduler, HostTurn } from './scheduler.ts'

/** Starts visits as soon as they may start. */
export interface Dispatcher {
  /** Starts all visits that may start now. */
  dispatch(): void
  close(): void
}

/**
 * Creates a dispatcher, which runs a scheduler with a single timer. `dispatch` starts all visits that may start now,
 * and wakes itself for the next one.
 */
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
    // A visit may end synchronously and call this again: the running loop handles that.
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
