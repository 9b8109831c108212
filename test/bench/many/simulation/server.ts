// The server of the store: code that ships keeps, and what a network and a busy server do to it is simulated.
import { EngineError } from '@harvestman/core'
import type { KeepOptions, Stop, Store, Value } from '@harvestman/ports'

import { keyLocks } from '@harvestman/ports/adapters'

import { bytesOf, keepOnDisk } from './kept.ts'
import type { SimulatedTime } from './time.ts'
import { countUses, type StoreUse } from './uses.ts'

export interface StoreCosts {
  /** There and back, in milliseconds. */
  readonly roundTrip: number
  /** Of the server, in milliseconds: for a call, for an `update`, for each further key of a call, for a megabyte. */
  readonly call: number
  readonly update?: number
  readonly key?: number
  readonly megabyte: number
  /** Milliseconds that an `update` takes after what it changes has been read. */
  readonly write?: number
}

export interface SimulatedServer {
  readonly calls: number
  readonly keys: number
  readonly bytes: number
  /** Milliseconds in which it had something to do. */
  readonly busy: number
  /** By the kind of the keys, the most bytes first. */
  readonly uses: readonly StoreUse[]
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
  /** What it is charged to. */
  readonly key: string
  readonly cost: number
  readonly calls?: number
  readonly keys?: number
  readonly bytes?: number
}

type Asked = Omit<Charge, 'cost'> & Partial<Pick<Charge, 'cost'>>

interface Ask<T> {
  /** Milliseconds until it is there and back. */
  readonly waits?: number
  /** Bytes that come back and were not known before. */
  readonly back?: (answer: T) => number
}

type Change = (old: Value | undefined) => Value | undefined

/** What a call takes beside its value. */
const callBytes = 100
const keyBytes = 40

// oxlint-disable-next-line max-lines-per-function -- the verbs of one store, and what each costs
export function simulateServer(time: SimulatedTime, costs: StoreCosts): SimulatedServer {
  const { roundTrip, call, update = call * 2, key: keyCost = 0, megabyte, write = roundTrip } = costs
  const { store, forget, remove } = keepOnDisk(time.clock)
  const uses = countUses()
  /** The updates under way of each key. */
  const updates = new Map<string, Set<{ isLate: boolean }>>()
  const server = { calls: 0, keys: 0, bytes: 0, busy: 0, isAway: false }
  let free = 0
  /** Gives the milliseconds until the server is done with it. */
  const charge = ({ key, cost, calls = 1, keys = 1, bytes = 0 }: Charge): number => {
    uses.add(key, calls, bytes)
    const all = cost + (keys - calls) * keyCost + (bytes / 1e6) * megabyte
    server.calls += calls
    server.keys += keys
    server.bytes += bytes
    server.busy += all
    free = Math.max(free, time.now()) + all
    return free - time.now()
  }
  const ask = async <T>(link: Link, work: () => Promise<T>, what: Asked & Ask<T>): Promise<T> => {
    const { cost = call, waits = roundTrip, back, ...rest } = what
    if (link.isDead) return new Promise<never>(() => undefined)
    if (link.isCut || server.isAway) {
      await time.sleep(roundTrip)
      throw new EngineError('store_failed', 'The server is away.', { details: { reason: 'away' } })
    }
    await time.sleep(charge({ cost, ...rest }) + waits)
    if (link.isDead) return new Promise<never>(() => undefined)
    const answer = await work()
    const bytes = back?.(answer) ?? 0
    if (bytes > 0) await time.sleep(charge({ key: rest.key, cost: 0, calls: 0, keys: 0, bytes }))
    return answer
  }
  /** An update that has read the value before must read it again. */
  const changed = (key: string): void => {
    for (const one of updates.get(key) ?? []) one.isLate = true
  }
  /** A place of a log, which is written once: one that reads it finds nothing there. */
  const append = (link: Link, key: string, change: Change, options?: KeepOptions): Promise<Value | undefined> => {
    const { owed } = link
    link.owed = 0
    const back = (value: Value | undefined): number => bytesOf(value) + owed
    const waits = roundTrip + write
    return ask(link, () => store.update(key, change, options), { key, cost: update, calls: 2, keys: 2, waits, back })
  }
  /** Read, changed, and written if it is still the same: both adapters do so. */
  const replace = async (
    link: Link,
    key: string,
    change: Change,
    options?: KeepOptions,
  ): Promise<Value | undefined> => {
    const mine = { isLate: false }
    const all = updates.get(key) ?? new Set()
    updates.set(key, all.add(mine))
    try {
      for (;;) {
        const what = { key, cost: update / 2, bytes: callBytes }
        const read = async (): Promise<Value | undefined> => {
          mine.isLate = false
          return store.get(key)
        }
        const value = await ask(link, read, { ...what, back: bytesOf })
        const next = change(value)
        if (next === value) return value
        const put = async (): Promise<boolean> => {
          if (mine.isLate) return false
          changed(key)
          await store.update(key, () => next, options)
          return true
        }
        const bytes = callBytes + bytesOf(next)
        if (await ask(link, put, { ...what, bytes, waits: write })) return next
        uses.tryAgain(key)
      }
    } finally {
      all.delete(mine)
      if (all.size === 0 && updates.get(key) === all) updates.delete(key)
    }
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
    get uses() {
      return uses.all()
    },
    connect: (link) => {
      const locks = keyLocks()
      return {
        reach: 'shared',
        get: (key) => ask(link, () => store.get(key), { key, bytes: callBytes, back: bytesOf }),
        getMany: (keys) => {
          const back = (values: readonly (Value | undefined)[]): number =>
            values.reduce<number>((sum, value) => sum + bytesOf(value), 0)
          const what = { key: keys[0] ?? '', keys: keys.length, bytes: keys.length * keyBytes, back }
          return ask(link, () => store.getMany(keys), what)
        },
        set: (key, value, options) => {
          const put = (): Promise<void> => {
            changed(key)
            return store.set(key, value, options)
          }
          return ask(link, put, { key, bytes: callBytes + bytesOf(value) })
        },
        update: (key, change, options) =>
          key.includes('/log/')
            ? append(link, key, change, options)
            : locks.write(key, () => replace(link, key, change, options)),
        add: (key, items, options) =>
          ask(link, () => store.add(key, items, options), { key, bytes: callBytes + bytesOf([...items]) }),
        watch: (key, tell) => {
          const watch = async (): Promise<Stop> => {
            const stop = await store.watch(key, () => time.within(link, tell))
            const letGo = (): void => void stop()
            link.holds.add(letGo)
            return async () => {
              link.holds.delete(letGo)
              await stop()
            }
          }
          return ask(link, watch, { key })
        },
        delete: (key) => ask(link, () => store.delete(key), { key }),
        close: async () => undefined,
      }
    },
    kept: store,
    forget,
    close: remove,
  }
}
