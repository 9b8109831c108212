import { race } from '../lib/race.ts'

/** At most so many at once; the others wait in line. */
export interface Slots {
  readonly most: number
  readonly taken: number
  /** Gives what frees the slot; calling it twice frees it once. */
  take(signal: AbortSignal): Promise<() => void>
}

export function makeSlots(most: number): Slots {
  const waiting = new Set<() => void>()
  let taken = 0
  const free = (): void => {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      // The slot goes from hand to hand, so that nobody can step in between.
      next()
    } else taken -= 1
  }
  const once = (): (() => void) => {
    let isFree = false
    return () => {
      if (!isFree) free()
      isFree = true
    }
  }
  return {
    most,
    get taken() {
      return taken
    },
    take: async (signal) => {
      signal.throwIfAborted()
      if (taken < most) {
        taken += 1
        return once()
      }
      let hand: (() => void) | undefined
      const turn = new Promise<void>((resolve) => {
        hand = resolve
        waiting.add(resolve)
      })
      try {
        await race(turn, signal)
        return once()
      } catch (error) {
        // When the slot was handed over at the moment of the abort, it goes on to the next.
        if (!waiting.delete(hand!)) free()
        throw error
      }
    },
  }
}
