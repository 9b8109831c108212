// The end of a session and its use, which delays that end.
import { AsyncLocalStorage } from 'node:async_hooks'

import type { Clock, LiveBrowser } from '@harvestman/ports'

import { sessionOver, type SessionEnd, type SessionEndReason } from './records.ts'

/** The browser of a session, and its time limits. */
export interface LifeParts {
  readonly live: Pick<LiveBrowser, 'gone' | 'use' | 'close'>
  readonly clock: Clock
  /** Maximum lifetime, and maximum time without a call, in milliseconds. */
  readonly ttl: number
  readonly idle: number
  /** Called with the error of a failed connection to the browser. */
  readonly onFault: (fault: unknown) => void
  /** Called before and after each call, and when clients and viewers are active. `at` is the current time. */
  readonly touched: (at: number) => void
}

const touchInterval = 1_000

/** Ends a session, by a call, at the end of its lifetime, or when its browser is lost. */
export interface Ending {
  readonly closed: AbortSignal
  stop(reason?: SessionEndReason): Promise<SessionEnd>
  /** Ends the session in the background. If it cannot be settled now, the engines that search for lost sessions do so later. */
  stopAlone(reason: SessionEndReason): void
}

/** Creates the end of a session. `settle` is called once, with the reason. */
export function makeEnding(
  { live, ttl, onFault }: LifeParts,
  settle: (reason: SessionEndReason) => Promise<SessionEnd>,
): Ending {
  const closed = new AbortController()
  let ending: Promise<SessionEnd> | undefined

  const end = async (reason: SessionEndReason): Promise<SessionEnd> => {
    clearTimeout(ttlTimer)
    live.gone.removeEventListener('abort', lose)
    closed.abort(sessionOver(reason))
    try {
      return await settle(reason)
    } finally {
      await live.close()
    }
  }
  const stop = (reason: SessionEndReason = 'stopped'): Promise<SessionEnd> => (ending ??= end(reason))
  const stopAlone: Ending['stopAlone'] = (reason) => {
    stop(reason).catch(onFault)
  }
  const lose = (): void => stopAlone('lost')
  live.gone.addEventListener('abort', lose, { once: true })
  const ttlTimer = setTimeout(() => stopAlone('lifetime'), ttl)
  ttlTimer.unref()
  return { closed: closed.signal, stop, stopAlone }
}

/** Tracks the use of a session and ends it when it was idle for too long. */
export function makeUse({ live, clock, idle, touched }: LifeParts, { closed, stopAlone }: Ending) {
  // Calls run in the context of the session's own work, so that they are recorded with it.
  const inside = AsyncLocalStorage.snapshot()
  let running = 0
  let touchedAt = 0
  let idleTimer: NodeJS.Timeout | undefined
  closed.addEventListener('abort', () => clearTimeout(idleTimer), { once: true })

  const rest = (): void => {
    touched(clock.now())
    clearTimeout(idleTimer)
    if (running > 0 || closed.aborted) return
    idleTimer = setTimeout(() => stopAlone('unused'), idle)
    idleTimer.unref()
  }
  rest()
  return {
    /** Notes activity of clients and viewers, which also counts as use. At most once a second. */
    touch: (): void => {
      if (clock.now() - touchedAt < touchInterval) return
      touchedAt = clock.now()
      rest()
    },
    during: async <T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      closed.throwIfAborted()
      running += 1
      clearTimeout(idleTimer)
      touched(clock.now())
      const done = await live.use()
      try {
        return await inside(work, signal ? AbortSignal.any([signal, closed]) : closed)
      } finally {
        done()
        running -= 1
        rest()
      }
    },
  }
}

/** The use of a session. */
export type Use = ReturnType<typeof makeUse>
