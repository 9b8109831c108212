// The server of the store: code that ships keeps, and what a network and a busy server do to it is simulated.
import { EngineError } from '@harvestman/core'
import type { KeepOptions, ListedEntry, Stop, Store, Value } from '@harvestman/ports'

import { keyLocks } from '@harvestman/ports/stores'

import { randomFrom } from './chance.ts'
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

/**
 * `kill`: nobody listens, and what was under way was done or not, which its caller does not learn. `hang`: it takes what it is
 * asked, and does it when it goes on, also what its caller has given up.
 */
export type OutageWay = 'kill' | 'hang'

export interface SimulatedServer {
  readonly calls: number
  readonly keys: number
  readonly bytes: number
  /** Milliseconds in which it had something to do. */
  readonly busy: number
  /** Calls that were under way when it was killed, and those that their caller gave up while it hung. */
  readonly lost: number
  /** Calls that are on their way. */
  readonly underWay: number
  /** By the kind of the keys, the most bytes first. */
  readonly uses: readonly StoreUse[]
  readonly isAway: boolean
  goAway(way: OutageWay): void
  comeBack(): void
  /** Is called each time that it has come back, with the milliseconds that it was away. */
  onBack(back: (awayFor: number) => void): void
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

/** Milliseconds that a call may take, as with both adapters. */
export const callTimeout = 10_000
/** Until a process whose connection broke has another one, in milliseconds, at most. */
const reconnects = 500

export function storeFailed(reason: 'away' | 'slow'): EngineError {
  return new EngineError('store_failed', `The server is ${reason}.`, { details: { reason } })
}

/** What a call takes beside its value. */
const callBytes = 100
const keyBytes = 40

// oxlint-disable-next-line max-lines-per-function -- the verbs of one store, and what each costs
export function simulateServer(time: SimulatedTime, costs: StoreCosts): SimulatedServer {
  const { roundTrip, call, update = call * 2, key: keyCost = 0, megabyte, write = roundTrip } = costs
  const { store, forget, remove } = keepOnDisk(time.clock)
  const uses = countUses()
  const random = randomFrom(11)
  /** How often each key was written that is not written once. */
  const versions = new Map<string, number>()
  const server = { calls: 0, keys: 0, bytes: 0, busy: 0, lost: 0, underWay: 0 }
  const outage = { way: undefined as OutageWay | undefined, since: 0, kills: 0 }
  /** What it was asked while it hangs. */
  const held: (() => Promise<void>)[] = []
  const tells = new Set<() => void>()
  const backs: ((awayFor: number) => void)[] = []
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
  /** The connection broke meanwhile. */
  const cutShort = async (work: () => Promise<unknown>): Promise<never> => {
    server.lost += 1
    if (random() < 1 / 2) await work()
    throw storeFailed('away')
  }
  const outlast = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const late = (): void => {
        server.lost += 1
        reject(storeFailed('slow'))
      }
      let isOver = false
      held.push(() => {
        isOver = true
        return work().then(resolve, reject)
      })
      void time.sleep(callTimeout).then(() => isOver || late())
    })
  const ask = async <T>(link: Link, work: () => Promise<T>, what: Asked & Ask<T>): Promise<T> => {
    const { cost = call, waits = roundTrip, back, ...rest } = what
    if (link.isDead) return new Promise<never>(() => undefined)
    if (link.isCut || outage.way === 'kill') {
      await time.sleep(roundTrip)
      throw storeFailed('away')
    }
    const { kills } = outage
    server.underWay += 1
    await time.sleep(charge({ cost, ...rest }) + waits)
    server.underWay -= 1
    if (link.isDead) return new Promise<never>(() => undefined)
    const answer = await (outage.way === 'hang' ? outlast(work) : kills === outage.kills ? work() : cutShort(work))
    if (link.isDead) return new Promise<never>(() => undefined)
    const bytes = back?.(answer) ?? 0
    if (bytes > 0) await time.sleep(charge({ key: rest.key, cost: 0, calls: 0, keys: 0, bytes }))
    return answer
  }
  /** An update that has read the value before must read it again. */
  const changed = (key: string): void => void versions.set(key, (versions.get(key) ?? 0) + 1)
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
    for (;;) {
      const what = { key, cost: update / 2, bytes: callBytes }
      let version: number | undefined
      const read = async (): Promise<Value | undefined> => {
        version = versions.get(key)
        return store.get(key)
      }
      const value = await ask(link, read, { ...what, back: bytesOf })
      const next = change(value)
      if (next === value) return value
      const put = async (): Promise<boolean> => {
        if (version !== versions.get(key)) return false
        changed(key)
        await store.update(key, () => next, options)
        return true
      }
      const bytes = callBytes + bytesOf(next)
      if (await ask(link, put, { ...what, bytes, waits: write })) return next
      uses.tryAgain(key)
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
    get lost() {
      return server.lost
    },
    get underWay() {
      return server.underWay
    },
    get isAway() {
      return outage.way !== undefined
    },
    goAway: (way) => {
      outage.way = way
      outage.since = time.now()
      if (way === 'kill') outage.kills += 1
    },
    comeBack: () => {
      const { way, since } = outage
      outage.way = undefined
      for (const go of held.splice(0)) void go()
      // What was written meanwhile was told to nobody.
      if (way === 'kill') for (const tell of tells) void time.sleep(random() * reconnects).then(tell)
      for (const back of backs) back(time.now() - since)
    },
    onBack: (back) => void backs.push(back),
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
            const told = (): void => (outage.way === 'kill' || link.isDead ? undefined : time.within(link, tell))
            const stop = await store.watch(key, told)
            tells.add(told)
            const letGo = (): void => {
              tells.delete(told)
              void stop()
            }
            link.holds.add(letGo)
            return async () => {
              link.holds.delete(letGo)
              tells.delete(told)
              await stop()
            }
          }
          return ask(link, watch, { key })
        },
        delete: (key) => ask(link, () => store.delete(key), { key }),
        list: (prefix, options) => {
          const back = (entries: readonly ListedEntry[]): number =>
            entries.reduce((sum, { key, value }) => sum + keyBytes + key.length + bytesOf(value), 0)
          return ask(link, () => store.list(prefix, options), { key: prefix, bytes: callBytes, back })
        },
        close: async () => undefined,
      }
    },
    kept: store,
    forget: async (job) => {
      for (const key of versions.keys()) if (key.includes(job)) versions.delete(key)
      await forget(job)
    },
    close: remove,
  }
}
