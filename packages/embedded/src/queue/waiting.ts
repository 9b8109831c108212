import { heap } from '@harvestman/toolbox/heap'
import { makeTurns, type Turns } from '@harvestman/toolbox/turns'

/** A queue ordered by priority (highest first), then round-robin by team, then first in, first out. */
export interface WaitingList<T> {
  readonly size: number
  push(item: T, priority: number, team: string): void
  /** With `may`, returns only items of teams for which it returns true. */
  take(may?: (team: string) => boolean): T | undefined
  has(may: (team: string) => boolean): boolean
  clear(): void
}

/**
 * Creates a queue with priorities, where teams of the same priority are served round-robin. `take` returns `undefined`
 * if no item may be taken. There is one lane per priority in use, and a heap of the priorities. With few priorities,
 * the usual case, an item costs as much as in a plain queue; with a different one for each item, the logarithm of
 * their number.
 */
export function waitingList<T>(): WaitingList<T> {
  const lanes = new Map<number, Turns<T>>()
  let order = heap<number>((one, other) => one > other)
  let size = 0

  const openLane = (priority: number) => {
    const lane = makeTurns<T>()
    lanes.set(priority, lane)
    order.push(priority)
    return lane
  }

  /** Takes an item of a lower priority while none of the highest may be taken. Empty lanes stay until they are the highest. */
  const takeLower = (may: ((team: string) => boolean) | undefined): T | undefined => {
    for (const priority of [...lanes.keys()].toSorted((one, other) => other - one)) {
      const item = lanes.get(priority)?.shift(may)
      if (item !== undefined) return item
    }
    return undefined
  }

  return {
    get size() {
      return size
    },
    push(item, priority, team) {
      const lane = lanes.get(priority) ?? openLane(priority)
      lane.push(team, item)
      size += 1
    },
    take(may) {
      const priority = order.peek()
      const lane = priority === undefined ? undefined : lanes.get(priority)
      if (priority === undefined || lane === undefined) return undefined
      const item = lane.shift(may) ?? takeLower(may)
      if (item !== undefined) size -= 1
      if (lane.size === 0) {
        lanes.delete(priority)
        order.pop()
      }
      return item
    },
    has: (may) => [...lanes.values()].some((lane) => lane.has(may)),
    clear() {
      lanes.clear()
      order = heap<number>((one, other) => one > other)
      size = 0
    },
  }
}
