// Tasks go to a process that has room, whichever it is.
import type { Queue, Task, TaskHandler } from '@harvestman/ports'

import { callTimeout, storeFailed, type Link, type SimulatedServer } from './server.ts'
import type { SimulatedTime } from './time.ts'

interface Consumer {
  readonly link: Link
  readonly kind: string
  readonly handle: TaskHandler
  readonly most: number
  running: number
}

/** Milliseconds after which the task of a worker that does not renew it is handed out again. */
const taskLease = 30_000

/** On the server of the store. `wait`: how long a task takes to get to a worker, in milliseconds. */
export function simulateQueue(time: SimulatedTime, server: SimulatedServer, wait: number) {
  const consumers = new Set<Consumer>()
  const waiting = new Map<string, Task>()
  const running = new Map<string, Task>()
  /** What is to be done when the server is back. */
  const late: (() => void)[] = []
  server.onBack((awayFor) => {
    for (const go of late.splice(0)) go()
    if (awayFor > taskLease) for (const task of [...running.values()]) hand(task)
  })
  // The queue goes on when the process that pushed has ended.
  const later = (task: Task, ms: number): void =>
    time.within(undefined, () => void time.sleep(ms).then(() => hand(task)))
  const hand = (task: Task): void => {
    if (server.isAway) return void late.push(() => hand(task))
    // The one that has waited longest, as a blocked client of Redis is served.
    const taker = [...consumers].find(({ kind, running, most }) => kind === task.kind && running < most)
    // A task that waits already need not wait twice.
    if (!taker) return void waiting.set(task.id, task)
    consumers.delete(taker)
    consumers.add(taker)
    taker.running += 1
    running.set(task.id, task)
    const done = (): void => {
      taker.running -= 1
      running.delete(task.id)
      const next = [...waiting.values()].find(({ kind }) => kind === taker.kind)
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
      push: async (task, { delay = 0 } = {}) => {
        if (!server.isAway) return later(task, wait + delay)
        // It is added when the server is back, also when the caller has given up.
        const added = Promise.withResolvers<void>()
        late.push(() => (added.resolve(), later(task, wait + delay)))
        const tooLate = time.sleep(callTimeout).then(() => Promise.reject(storeFailed('slow')))
        await Promise.race([added.promise, tooLate])
      },
      consume: async (handle, { kind, concurrency }) => {
        const consumer = { link, kind, handle, most: kind === 'job' ? most : concurrency, running: 0 }
        consumers.add(consumer)
        link.holds.add(() => consumers.delete(consumer))
        const tasks = [...waiting.values()].filter((task) => task.kind === kind)
        for (const { id } of tasks) waiting.delete(id)
        tasks.forEach(hand)
        return async () => void consumers.delete(consumer)
      },
      close: async () => undefined,
    }),
  }
}
