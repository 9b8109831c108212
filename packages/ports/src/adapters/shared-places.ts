import { makeTurns } from './turns.ts'

/** Places that teams share: so many are taken at once, and those that wait for one come in turns by team. */
export interface SharedPlaces {
  readonly taken: number
  /** Gives what frees the place; calling it twice frees it once. Rejects with the signal's reason while it waits. */
  take(team: string, signal: AbortSignal): Promise<() => void>
  /** Refuses all that wait. */
  clear(reason: unknown): void
}

/** How many places there are. */
export interface SharedPlacesOptions {
  readonly most: number
  /** Places beyond those, for teams that have none: whatever one team does, another one does not wait for its long work. */
  readonly spare?: number
}

interface Waiter {
  readonly enter: () => void
  readonly refuse: (reason: unknown) => void
  isGone: boolean
}

/** Makes places that teams share in turns. */
export function makeSharedPlaces({ most, spare = 0 }: SharedPlacesOptions): SharedPlaces {
  const held = new Map<string, number>()
  const waiting = makeTurns<Waiter>()
  let taken = 0
  const mayEnter = (team: string): boolean => taken < most || (taken < most + spare && !held.has(team))

  const enter = (team: string): (() => void) => {
    taken += 1
    held.set(team, (held.get(team) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (isHeld) leave(team)
      isHeld = false
    }
  }
  const leave = (team: string): void => {
    taken -= 1
    const left = (held.get(team) ?? 1) - 1
    if (left > 0) held.set(team, left)
    else held.delete(team)
    letIn()
  }
  /** A place goes from hand to hand, so that nothing can step in between. */
  const letIn = (): void => {
    for (let next = waiting.shift(mayEnter); next; next = waiting.shift(mayEnter)) {
      if (next.isGone) continue
      next.isGone = true
      next.enter()
      if (taken >= most + spare) return
    }
  }

  return {
    get taken() {
      return taken
    },
    take: async (team, signal) => {
      signal.throwIfAborted()
      if (mayEnter(team)) return enter(team)
      return new Promise((resolve, reject) => {
        const stop = (): void => waiter.refuse(signal.reason)
        const waiter: Waiter = {
          isGone: false,
          enter: () => {
            signal.removeEventListener('abort', stop)
            resolve(enter(team))
          },
          refuse: (reason) => {
            waiter.isGone = true
            signal.removeEventListener('abort', stop)
            reject(reason)
          },
        }
        signal.addEventListener('abort', stop, { once: true })
        waiting.push(team, waiter)
      })
    },
    clear: (reason) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) if (!next.isGone) next.refuse(reason)
    },
  }
}
