// The server of the store, and the queue: real code keeps and hands out, and what a network and a busy server do to it is
// simulated.
import { EngineError } from '@harvestman/core'
import type { Queue, Store, Task, TaskHandler, Value } from '@harvestman/core/ports'

import { memoryStore } from '../../../../packages/core/src/stores/memory.ts'
import { randomFrom } from './web.ts'
import type { SimulatedTime } from './time.ts'

export interface StoreCosts {
  /** There and back, in milliseconds. */
  readonly roundTrip: number
  /** Of the server, for a call, and for a megabyte, in milliseconds. */
  readonly call: number
  readonly megabyte: number
}

export interface SimulatedServer {
  readonly calls: number
  readonly bytes: number
  /** Milliseconds in which it had something to do. */
  readonly busy: number
  isAway: boolean
  /** The store as one process sees it. */
  connect(link: Link): Store
  /** Drops what is kept of a job, as its expiry would. */
  forget(job: string): Promise<void>
}

/** The connection of one process. */
export interface Link {
  /** The process has ended: nothing that it asked for comes back. */
  isDead: boolean
  isCut: boolean
}

const never = new Promise<never>(() => undefined)

export function simulateServer(time: SimulatedTime, { roundTrip, call, megabyte }: StoreCosts): SimulatedServer {
  const kept = memoryStore({ clock: time.clock })
  const server = { calls: 0, bytes: 0, busy: 0, isAway: false }
  let free = 0
  const ask = async <T>(link: Link, bytes: number, calls: number, work: () => Promise<T>): Promise<T> => {
    if (link.isDead) return never
    if (link.isCut || server.isAway) {
      await time.sleep(roundTrip)
      throw new EngineError('store_failed', 'The server is away.', { details: { reason: 'away' } })
    }
    server.calls += calls
    server.bytes += bytes
    const cost = calls * call + (bytes / 1e6) * megabyte
    server.busy += cost
    free = Math.max(free, time.now()) + cost
    await time.sleep(free - time.now() + roundTrip * calls)
    return link.isDead ? never : work()
  }
  const sizeOf = (value: Value | undefined): number => (value instanceof Uint8Array ? value.byteLength : 400)
  return {
    get calls() {
      return server.calls
    },
    get bytes() {
      return server.bytes
    },
    get busy() {
      return server.busy
    },
    get isAway() {
      return server.isAway
    },
    set isAway(away) {
      server.isAway = away
    },
    connect: (link) => ({
      reach: 'shared',
      get: (key) => ask(link, 400, 1, () => kept.get(key)),
      getMany: (keys) => ask(link, 400 * keys.length, 1, async () => (await kept.getMany?.(keys)) ?? []),
      set: (key, value, options) => ask(link, sizeOf(value), 1, () => kept.set(key, value, options)),
      // Read, and written if it is still the same.
      update: (key, change, options) =>
        ask(link, 400, 2, async () => {
          const value = await kept.update(key, change, options)
          server.bytes += sizeOf(value)
          return value
        }),
      add: (key, items, options) => ask(link, 400, 1, async () => kept.add?.(key, items, options)),
      watch: (key, changed) =>
        ask(
          link,
          0,
          1,
          async () => (await kept.watch?.(key, () => !link.isDead && changed())) ?? (async () => undefined),
        ),
      delete: (key) => ask(link, 0, 1, () => kept.delete(key)),
      close: async () => undefined,
    }),
    forget: async (job) => {
      for (let place = 0; await kept.get(`job/${job}/log/${place}`); place += 1)
        await kept.delete(`job/${job}/log/${place}`)
    },
  }
}

/** Tasks go to a process that has room, whichever it is. */
export function simulateQueue(time: SimulatedTime, wait: number) {
  const random = randomFrom(11)
  const consumers = new Set<{
    readonly link: Link
    readonly handle: TaskHandler
    readonly most: number
    running: number
  }>()
  const waiting: Task[] = []
  const hand = (task: Task): void => {
    const able = [...consumers].filter(({ link, running, most }) => !link.isDead && running < most)
    const taker = able[Math.floor(random() * able.length)]
    if (!taker) return void waiting.push(task)
    taker.running += 1
    const done = (): void => {
      taker.running -= 1
      const next = waiting.shift()
      if (next) hand(next)
    }
    const again = (): void => {
      done()
      void time.sleep(1000).then(() => hand(task))
    }
    taker.handle(task, new AbortController().signal).then(done, again)
  }
  return {
    /** At most so many jobs at once for each process. */
    connect: (link: Link, most: number): Queue => ({
      reach: 'shared',
      push: async (task) => void time.sleep(wait).then(() => hand(task)),
      consume: async (handle) => {
        const consumer = { link, handle, most, running: 0 }
        consumers.add(consumer)
        for (const task of waiting.splice(0)) hand(task)
        return async () => void consumers.delete(consumer)
      },
      close: async () => undefined,
    }),
  }
}
