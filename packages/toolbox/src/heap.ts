/** A priority queue; `push` and `pop` take logarithmic time. */
export interface Heap<T> {
  readonly size: number
  push(item: T): void
  peek(): T | undefined
  pop(): T | undefined
}

/**
 * Creates a priority queue that returns the first item by `isBefore`, whatever the order of insertion. `peek` and
 * `pop` return `undefined` if it is empty.
 */
export function heap<T>(isBefore: (one: T, other: T) => boolean): Heap<T> {
  const items: T[] = []

  const at = (index: number): T => items[index]!
  const swap = (one: number, other: number) => {
    const first = at(one)
    items[one] = at(other)
    items[other] = first
  }
  const rise = (index: number) => {
    for (let child = index; child > 0;) {
      const parent = (child - 1) >> 1
      if (!isBefore(at(child), at(parent))) return
      swap(child, parent)
      child = parent
    }
  }
  const sink = () => {
    for (let parent = 0; ;) {
      const left = parent * 2 + 1
      if (left >= items.length) return
      const right = left + 1
      const child = right < items.length && isBefore(at(right), at(left)) ? right : left
      if (!isBefore(at(child), at(parent))) return
      swap(child, parent)
      parent = child
    }
  }

  return {
    get size() {
      return items.length
    },
    push(item) {
      items.push(item)
      rise(items.length - 1)
    },
    peek: () => items[0],
    pop() {
      const top = items[0]
      const last = items.pop()
      if (items.length > 0 && last !== undefined) {
        items[0] = last
        sink()
      }
      return top
    },
  }
}
