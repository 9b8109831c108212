// Tasks go to a process that has room, whichever it is.
import type { Queue, Task, TaskHandler } from '@harvestman/ports'

import type { Link } from './server.ts'
import type { SimulatedTime } from './time.ts'

interface Consumer {
  readonly link: Link
  readonly handle: TaskHandler
  readonly most: number
  running: number
}

/** `wait`: how long a task takes to get to a worker, in milliseconds. */
export function simulateQueue(time: SimulatedTime, wait: number) {
  const consumers = new Set<Consumer>()
  const waiting = new Map<string, Task>()
  // The queue goes on when the process that pushed has ended.
  const later = (task: Task, ms: number): void =>
    time.within(undefined, () => void time.sleep(ms).then(() => hand(task)))
  const hand = (task: Task): void => {
    // The one that has waited longest, as a blocked client of Redis is served.
    const taker = [...consumers].find(({ running, most }) => running < most)
    // A job that waits already need not wait twice.
    if (!taker) return void waiting.set(task.id, task)
    consumers.delete(taker)
    consumers.add(taker)
    taker.running += 1
    const done = (): void => {
      taker.running -= 1
      const [next] = waiting.values()
      if (!next) return
      waiting.delete(next.id)
      hand(next)
    }
    const again = (): void => {
      done()
      later(task, 1000)
    }
    const { signal } = new AbortController()
    void time.within(taker.link, () => taker.handle(task, signal).then(done, again))
  }
  return {
    /** At most so many jobs at once for each process. */
    connect: (link: Link, most: number): Queue => ({
      reach: 'shared',
      push: async (task) => later(task, wait),
      consume: async (handle) => {
        const consumer = { link, handle, most, running: 0 }
        consumers.add(consumer)
        link.holds.add(() => consumers.delete(consumer))
        const tasks = [...waiting.values()]
        waiting.clear()
        tasks.forEach(hand)
        return async () => void consumers.delete(consumer)
      },
      close: async () => undefined,
    }),
  }
}
