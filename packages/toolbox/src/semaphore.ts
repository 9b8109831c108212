import { makeTurns } from './turns.ts'

/** Limits concurrency: each running caller has a permit, and waiting callers are served round-robin by team. */
export interface Semaphore {
  /** Number of permits in use. */
  readonly held: number
  /** Number of callers that wait for a permit. */
  readonly waiting: number
  /**
   * Resolves to a function that releases the permit; calling it twice has no further effect. Rejects with the signal's reason
   * if it is aborted while waiting.
   */
  acquire(team: string, signal: AbortSignal): Promise<() => void>
  /** Gives free permits to waiting callers. Call it when `may` returns true again. */
  serve(): void
  /** Rejects all waiting callers. */
  clear(reason: unknown): void
}

/** Options of a semaphore: the number of its permits. */
export interface SemaphoreOptions {
  readonly limit: number
  /** Extra permits for teams that have none, so that no team waits for the long work of another one. */
  readonly spare?: number
  /** Returns whether one more permit may be given now, if that also depends on something outside of this semaphore. */
  readonly may?: () => boolean
}

interface Waiter {
  readonly enter: () => void
  readonly refuse: (reason: unknown) => void
}

/**
 * Creates a semaphore within this process; `acquire` resolves to the function that releases the permit. Waiting callers are
 * served round-robin by team; a wait rejects if its signal is aborted. `spare` permits are only for teams that hold none.
 */
export function makeSemaphore({ limit, spare = 0, may = () => true }: SemaphoreOptions): Semaphore {
  const ofTeams = new Map<string, number>()
  const line = makeTurns<Waiter>()
  const waiters = new Set<Waiter>()
  let held = 0
  const mayEnter = (team: string): boolean => (held < limit || (held < limit + spare && !ofTeams.has(team))) && may()

  const enter = (team: string): (() => void) => {
    held += 1
    ofTeams.set(team, (ofTeams.get(team) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (isHeld) release(team)
      isHeld = false
    }
  }
  const release = (team: string): void => {
    held -= 1
    const left = (ofTeams.get(team) ?? 1) - 1
    if (left > 0) ofTeams.set(team, left)
    else ofTeams.delete(team)
    serve()
  }
  /** Permits are handed directly to the next caller, so that no other call can take them in between. */
  const serve = (): void => {
    if (waiters.size === 0) return
    for (let next = line.shift(mayEnter); next; next = line.shift(mayEnter)) {
      if (waiters.has(next)) next.enter()
      if (held >= limit + spare) return
    }
  }
  const wait = (team: string, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiters.delete(waiter)
        signal.removeEventListener('abort', stop)
      }
      const enterLater = (): void => (leave(), resolve(enter(team)))
      const waiter: Waiter = { enter: enterLater, refuse: (reason) => (leave(), reject(reason)) }
      const stop = (): void => waiter.refuse(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      waiters.add(waiter)
      line.push(team, waiter)
    })

  return {
    get held() {
      return held
    },
    get waiting() {
      return waiters.size
    },
    acquire: async (team, signal) => {
      signal.throwIfAborted()
      return mayEnter(team) ? enter(team) : wait(team, signal)
    },
    serve,
    clear: (reason) => {
      for (const waiter of waiters) waiter.refuse(reason)
    },
  }
}
