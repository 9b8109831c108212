import { elapsed, type Clock } from '@harvestman/ports'
import type { Scheduler, HostTurn } from './scheduler.ts'

/** Starts visits as soon as they may start. */
export interface Dispatcher {
  /** Starts the visits that may start now: some at once, the others in the next turns of the event loop. */
  dispatch(): void
  close(): void
}

// Maximum number of visits that start in one turn of the event loop, so that a new job does not block other work.
const startsInTurn = 16

/**
 * Creates a dispatcher, which runs a scheduler with a single timer. `dispatch` starts the visits that may start now, and wakes
 * itself for the next one.
 */
export function makeDispatcher(scheduler: Scheduler, clock: Clock, start: (turn: HostTurn) => void): Dispatcher {
  let timer: AbortController | undefined
  let isBusy = false
  let isClosed = false
  let startedInTurn = 0
  /** Whether more visits may start in the next turn. */
  let hasMore = false
  let turnEnd: NodeJS.Immediate | undefined

  const endTurn = (): void => {
    turnEnd = undefined
    startedInTurn = 0
    if (!hasMore) return
    hasMore = false
    dispatch()
  }

  /** Returns when the next visit may start; `undefined` if more may start now. */
  const startSome = (): number | undefined => {
    while (startedInTurn < startsInTurn) {
      const { turn, waitUntil } = scheduler.next()
      if (!turn) return waitUntil
      startedInTurn += 1
      turnEnd ??= setImmediate(endTurn)
      start(turn)
    }
    return undefined
  }

  const dispatch = (): void => {
    // A visit may end synchronously and call this again: the running loop, or the next turn, handles that.
    if (isBusy || hasMore || isClosed) return
    isBusy = true
    const waitUntil = startSome()
    isBusy = false
    timer?.abort()
    timer = undefined
    if (waitUntil === undefined) {
      hasMore = true
      return
    }
    if (waitUntil === Number.POSITIVE_INFINITY) return
    timer = new AbortController()
    clock.sleep(Math.max(waitUntil - elapsed(clock), 1), timer.signal).then(dispatch, () => undefined)
  }

  return {
    dispatch,
    close: () => {
      isClosed = true
      clearImmediate(turnEnd)
      timer?.abort()
    },
  }
}
