import { elapsed } from '@harvestman/ports/adapters'
import type { Clock } from '@harvestman/ports'

/** `out`: not known to the others yet, or no more; `waiting`: for the one that was alone; `among`: others. */
export type Standing = 'out' | 'alone' | 'waiting' | 'among'

/**
 * How an engine stands among those on its store. It follows from what the list of engines says and from when this one last
 * showed that it is alive, so it also changes by time alone. Each change passes through one place, which tells of it.
 */
export interface OwnStanding {
  readonly now: Standing
  /** What the list of engines says. */
  list(next: Standing): void
  /** Others know that it was alive at this time. */
  show(at: number): void
}

export interface StandingOptions {
  readonly clock: Clock
  /** Milliseconds of silence after which an engine is out, whatever the list says. */
  readonly silentAfter: number
  /** Is told after each change; of several at once, once. */
  readonly changed: () => void
}

export function makeStanding({ clock, silentAfter, changed }: StandingOptions): OwnStanding {
  let listed: Standing = 'out'
  let shownAt = Number.NEGATIVE_INFINITY
  let current: Standing = 'out'
  let isTelling = false

  const tell = (): void => {
    isTelling = false
    changed()
  }
  const settle = (): Standing => {
    const next = elapsed(clock) - shownAt < silentAfter ? listed : 'out'
    if (next !== current) {
      current = next
      // Not at once: who asks how it stands may be in the middle of something.
      if (!isTelling) queueMicrotask(tell)
      isTelling = true
    }
    return current
  }
  return {
    get now() {
      return settle()
    },
    list: (next) => {
      listed = next
      settle()
    },
    show: (at) => {
      shownAt = Math.max(shownAt, at)
      settle()
    },
  }
}
