/** First in, first out. Both ends cost the same, however many wait; a waiting item costs one slot of an array. */
export interface Fifo<T> {
  readonly size: number
  push(item: T): void
  shift(): T | undefined
}

const smallestCut = 1024

/** Makes a queue in memory: first in, first out. */
export function fifo<T>(): Fifo<T> {
  const items: (T | undefined)[] = []
  let head = 0

  // Cutting the empty front only when it is at least half of the array keeps the cost of a shift constant.
  const cut = () => {
    if (head < items.length && (head < smallestCut || head * 2 < items.length)) return
    items.splice(0, head)
    head = 0
  }

  // There is a list for each host. A getter would give each of them a shape of its own, which is kept until V8 collects all.
  const list = {
    size: 0,
    push(item: T) {
      items.push(item)
      list.size += 1
    },
    shift() {
      if (head === items.length) return undefined
      const item = items[head]
      items[head] = undefined
      head += 1
      list.size -= 1
      cut()
      return item
    },
  }
  return list
}
