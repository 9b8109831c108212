/**
 * A first-in, first-out queue. `push` and `shift` take constant time, however long the queue is; an item costs one array slot.
 */
export interface Fifo<T> {
  readonly size: number
  push(item: T): void
  shift(): T | undefined
}

const smallestCut = 1024

/** Creates an empty in-memory queue. `shift` returns `undefined` if it is empty. */
export function fifo<T>(): Fifo<T> {
  const items: (T | undefined)[] = []
  let head = 0

  // Trimming the empty front only when it is at least half of the array keeps the cost of a shift constant.
  const cut = () => {
    if (head < items.length && (head < smallestCut || head * 2 < items.length)) return
    items.splice(0, head)
    head = 0
  }

  // There is one queue per host. With a getter, each would get a hidden class of its own, which V8 retains until a full
  // collection.
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
