import { makeTurns } from './turns.ts'

/** At most so many at once: each holds a permit, and those that wait for one come in turns by team. */
export interface Semaphore {
  /** The permits that are held. */
  readonly held: number
  /** Number of callers that wait for a permit. */
  readonly waiting: number
  /** Gives what releases the permit; calling it twice releases it once. Rejects with the signal's reason while it waits. */
  acquire(team: string, signal: AbortSignal): Promise<() => void>
  /** Gives permits to those that wait: to be called when `may` says yes anew. */
  serve(): void
  /** Refuses all that wait. */
  clear(reason: unknown): void
}

/** Options of a semaphore: the number of its permits. */
export interface SemaphoreOptions {
  readonly limit: number
  /** Permits beyond those, for teams that have none: whatever one team does, another one does not wait for its long work. */
  readonly spare?: number
  /** Returns whether one more permit may be given now, where that is not known here alone. */
  readonly may?: () => boolean
}

interface Waiter {
  readonly enter: () => void
  readonly refuse: (reason: unknown) => void
}

/** Makes a semaphore of this process. */
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
  /** A permit goes from hand to hand, so that nothing can step in between. */
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
