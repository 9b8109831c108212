import { fifo, type Fifo } from '../lib/fifo.ts'
import { heap } from '../lib/heap.ts'

/** Items that wait their turn: the highest priority first, and among equals the one that came first. */
export interface WaitingList<T> {
  readonly size: number
  push(item: T, priority: number): void
  take(): T | undefined
  clear(): void
}

// One lane for each priority in use, and a heap of the priorities: with few of them, which is usual, an item costs as
// much as in a plain first-in-first-out list; with a different one for each item, the logarithm of their number.
export function waitingList<T>(): WaitingList<T> {
  const lanes = new Map<number, Fifo<T>>()
  let order = heap<number>((one, other) => one > other)
  let size = 0

  const openLane = (priority: number) => {
    const lane = fifo<T>()
    lanes.set(priority, lane)
    order.push(priority)
    return lane
  }

  return {
    get size() {
      return size
    },
    push(item, priority) {
      const lane = lanes.get(priority) ?? openLane(priority)
      lane.push(item)
      size += 1
    },
    take() {
      const priority = order.peek()
      const lane = priority === undefined ? undefined : lanes.get(priority)
      if (priority === undefined || lane === undefined) return undefined
      const item = lane.shift()
      size -= 1
      if (lane.size === 0) {
        lanes.delete(priority)
        order.pop()
      }
      return item
    },
    clear() {
      lanes.clear()
      order = heap<number>((one, other) => one > other)
      size = 0
    },
  }
}
