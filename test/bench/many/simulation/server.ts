// The server of the store: code that ships keeps, and what a network and a busy server do to it is simulated.
import { EngineError } from '@harvestman/core'
import type { Store, Value } from '@harvestman/core/ports'

import { bytesOf, keepOnDisk } from './kept.ts'
import type { SimulatedTime } from './time.ts'

export interface StoreCosts {
  /** There and back, in milliseconds. */
  readonly roundTrip: number
  /** Of the server, in milliseconds: for a call, for an `update`, for each further key of a call, for a megabyte. */
  readonly call: number
  readonly update?: number
  readonly key?: number
  readonly megabyte: number
  /** Milliseconds that an `update` takes beyond a round trip. */
  readonly write?: number
}

export interface SimulatedServer {
  readonly calls: number
  readonly keys: number
  readonly bytes: number
  /** Milliseconds in which it had something to do. */
  readonly busy: number
  isAway: boolean
  /** The store as one process sees it. */
  connect(link: Link): Store
  /** The store as it is, at no cost. */
  readonly kept: Store
  /** Drops what is kept of a job, as its expiry would. */
  forget(job: string): Promise<void>
  close(): void
}

/** The connection of one process. */
export interface Link {
  /** The process has ended: nothing that it asked for comes back. */
  isDead: boolean
  isCut: boolean
  /** Bytes of documents that are charged and not made, because what they say matters to nobody here. */
  owed: number
  /** What the server and the queue hold of the process. */
  readonly holds: Set<() => void>
}

export function newLink(): Link {
  return { isDead: false, isCut: false, owed: 0, holds: new Set() }
}

/** The process is no more. */
export function cutOff(link: Link): void {
  link.isDead = true
  for (const letGo of link.holds) letGo()
  link.holds.clear()
}

interface Charge {
  readonly cost: number
  readonly calls?: number
  readonly keys?: number
  readonly bytes?: number
}

interface Ask<T> {
  /** Milliseconds beyond the round trip. */
  readonly waits?: number
  /** Bytes that come back and were not known before. */
  readonly back?: (answer: T) => number
}

/** What a call takes beside its value. */
const callBytes = 100
const keyBytes = 40

// oxlint-disable-next-line max-lines-per-function -- the verbs of one store, and what each costs
export function simulateServer(time: SimulatedTime, costs: StoreCosts): SimulatedServer {
  const { roundTrip, call, update = call * 2, key: keyCost = 0, megabyte, write = 0 } = costs
  const { store, forget, remove } = keepOnDisk(time.clock)
  const server = { calls: 0, keys: 0, bytes: 0, busy: 0, isAway: false }
  let free = 0
  /** Gives the milliseconds until the server is done with it. */
  const charge = ({ cost, calls = 1, keys = 1, bytes = 0 }: Charge): number => {
    const all = cost + (keys - calls) * keyCost + (bytes / 1e6) * megabyte
    server.calls += calls
    server.keys += keys
    server.bytes += bytes
    server.busy += all
    free = Math.max(free, time.now()) + all
    return free - time.now()
  }
  const ask = async <T>(link: Link, work: () => Promise<T>, what: Partial<Charge> & Ask<T> = {}): Promise<T> => {
    const { cost = call, waits = 0, back, ...rest } = what
    if (link.isDead) return new Promise<never>(() => undefined)
    if (link.isCut || server.isAway) {
      await time.sleep(roundTrip)
      throw new EngineError('store_failed', 'The server is away.', { details: { reason: 'away' } })
    }
    await time.sleep(charge({ cost, ...rest }) + roundTrip + waits)
    if (link.isDead) return new Promise<never>(() => undefined)
    const answer = await work()
    const bytes = back?.(answer) ?? 0
    if (bytes > 0) await time.sleep(charge({ cost: 0, calls: 0, keys: 0, bytes }))
    return answer
  }
  const owedBy = (link: Link, key: string): number => {
    if (!key.includes('/log/')) return 0
    const { owed } = link
    link.owed = 0
    return owed
  }
  return {
    get calls() {
      return server.calls
    },
    get keys() {
      return server.keys
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
      get: (key) => ask(link, () => store.get(key), { bytes: callBytes, back: bytesOf }),
      getMany: (keys) => {
        const back = (values: readonly (Value | undefined)[]): number =>
          values.reduce<number>((sum, value) => sum + bytesOf(value), 0)
        return ask(link, () => store.getMany(keys), { keys: keys.length, bytes: keys.length * keyBytes, back })
      },
      set: (key, value, options) =>
        ask(link, () => store.set(key, value, options), { bytes: callBytes + bytesOf(value) }),
      // Read, and written if it is still the same.
      update: (key, change, options) => {
        const back = (value: Value | undefined): number => bytesOf(value) + owedBy(link, key)
        return ask(link, () => store.update(key, change, options), {
          cost: update,
          waits: write,
          bytes: callBytes,
          back,
        })
      },
      add: (key, items, options) =>
        ask(link, () => store.add(key, items, options), { bytes: callBytes + bytesOf([...items]) }),
      watch: (key, changed) =>
        ask(link, async () => {
          const stop = await store.watch(key, () => time.within(link, changed))
          const letGo = (): void => void stop()
          link.holds.add(letGo)
          return async () => {
            link.holds.delete(letGo)
            await stop()
          }
        }),
      delete: (key) => ask(link, () => store.delete(key)),
      close: async () => undefined,
    }),
    kept: store,
    forget,
    close: remove,
  }
}
