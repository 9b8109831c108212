import { handClock } from '@harvestman/testing'
import { afterEach, expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { memoryStore } from '../stores/memory.ts'
import { groupOf } from './groups.ts'
import { openShares, type Shares, type ShareUser } from './shares.ts'

// Real timers drive the engines, and the clock that leases are measured by stands still unless a test sets it forth: so
// no engine is taken for dead because the machine is slow.
const leaseTime = 60
const lookEvery = 5
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** All engines on one store, and how many run at once of each pool. */
function world({ isFew = true } = {}) {
  const clock = handClock()
  const memory = memoryStore({ clock })
  const calls = { count: 0 }
  const running = new Map<string, number>()
  const peaks = new Map<string, number>()
  const count = (pool: string, change: 1 | -1): void => {
    const now = (running.get(pool) ?? 0) + change
    running.set(pool, now)
    peaks.set(pool, Math.max(peaks.get(pool) ?? 0, now))
  }
  const open = (engine: string) => openEngine(engine, { clock, memory, calls, count, isFew })
  return { clock, calls, running, peaks, open }
}

interface World {
  readonly clock: ReturnType<typeof handClock>
  readonly memory: Store
  readonly calls: { count: number }
  readonly count: (pool: string, change: 1 | -1) => void
  readonly isFew: boolean
}

/** An engine that has work to do in pools; what begins runs until it is told to end. */
function openEngine(engine: string, { clock, memory, calls, count, isFew }: World) {
  let isDead = false
  let away: Promise<void> | undefined
  const unanswered = new Set<string>()
  const called = <T>(call: () => Promise<T>, what = 'reads'): Promise<T> => {
    if (isDead) return Promise.reject(new Error('dead'))
    calls.count += 1
    if (!away) return call()
    unanswered.add(what)
    return away.then(call)
  }
  const store: Store = {
    ...memory,
    reach: 'shared',
    get: (key) => called(() => memory.get(key)),
    getMany: (keys) => called(() => Promise.all(keys.map((key) => memory.get(key))), 'looks'),
    update: (...call) => called(() => memory.update(...call), 'writes'),
  }
  const shares: Shares = openShares({ store, clock, engine, leaseTime, lookEvery })
  const work = new Map<string, { most: number; running: number; waiting: number; done: number }>()
  const begin = (pool: string): void => {
    const own = work.get(pool)
    if (!own) return
    while (own.waiting > 0 && own.running < own.most && shares.mayBegin(pool, own.most, own.running, user)) {
      own.waiting -= 1
      own.running += 1
      count(pool, 1)
    }
    if (own.waiting > 0) shares.want(pool, own.most, user)
  }
  const user: ShareUser = {
    isFew,
    usage: (pool) => {
      const { running, waiting } = work.get(pool) ?? { running: 0, waiting: 0 }
      return { running, wants: running + waiting }
    },
    wake: begin,
  }
  closing.push(() => shares.close())
  return {
    shares,
    user,
    has: (pool: string) => work.get(pool)?.running ?? 0,
    done: (pool: string) => work.get(pool)?.done ?? 0,
    add: (pool: string, most: number, waiting: number) => {
      const own = work.get(pool) ?? { most, running: 0, waiting: 0, done: 0 }
      own.waiting += waiting
      work.set(pool, own)
      begin(pool)
    },
    /** Ends so many of what runs. */
    end: (pool: string, times = 1) => {
      const own = work.get(pool)
      if (!own) return
      for (let ended = 0; ended < times && own.running > 0; ended += 1) {
        own.running -= 1
        own.done += 1
        count(pool, -1)
        begin(pool)
        shares.ended(pool, own.running)
      }
    },
    /** The store answers nothing of what this engine asks, until it is back. Resolves when its timers have all asked. */
    loseStore: async () => {
      const back = Promise.withResolvers<void>()
      away = back.promise.then(() => (away = undefined))
      await expect.poll(() => ['looks', 'writes'].every((one) => unanswered.has(one)), soon).toBe(true)
      return back.resolve
    },
    /** As when the process is killed: nothing of it reaches the store any more. */
    die: () => {
      isDead = true
      for (const [pool, { running }] of work) for (let left = running; left > 0; left -= 1) count(pool, -1)
    },
  }
}

type Opened = ReturnType<typeof openEngine>

const passing = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const soon = { timeout: 20_000, interval: 5 }

/** Pages of two engines end and begin until each engine has half of the eight places of a pool. */
async function untilHalved(pool: string, one: Opened, other: Opened): Promise<void> {
  await expect
    .poll(() => {
      one.end(pool)
      other.end(pool)
      return [one.has(pool), other.has(pool)]
    }, soon)
    .toEqual([4, 4])
}

test('an engine that is alone on its store asks it nothing for what it begins', async () => {
  const { calls, open } = world()
  const one = open('one')
  one.add('a', 3, 1)
  await expect.poll(() => one.has('a'), soon).toBe(1)
  const before = calls.count
  for (let pool = 0; pool < 100; pool += 1) {
    one.add(`pool ${pool}`, 3, 5)
    one.end(`pool ${pool}`, 5)
  }
  one.add('a', 3, 10)
  expect([one.has('a'), calls.count - before]).toEqual([3, 0])
})

test.each([{ isFew: true }, { isFew: false }])(
  'engines on one store never begin more together than a pool has, and do all there is to do: %o',
  { timeout: 60_000 },
  async ({ isFew }) => {
    const { peaks, open } = world({ isFew })
    const engines = ['one', 'two', 'three'].map(open)
    const pools = ['a', 'b', 'c'].map((name, index) => ({ name, most: [1, 2, 7][index]! }))
    for (const { name, most } of pools) for (const engine of engines) engine.add(name, most, 12)
    const left = () =>
      pools.some(({ name }) => engines.reduce((sum, engine) => sum + engine.done(name), 0) < engines.length * 12)
    for (let turn = 0; left(); turn += 1) {
      await passing(1)
      for (const { name } of pools) engines[turn % engines.length]!.end(name)
    }
    for (const { name, most } of pools) expect([name, peaks.get(name)! <= most]).toEqual([name, true])
  },
)

test('what one engine began while it was alone counts for the one that comes later', async () => {
  const { peaks, open } = world()
  const [one, two] = [open('one'), open('two')]
  one.add('a', 4, 3)
  await expect.poll(() => one.has('a'), soon).toBe(3)
  two.add('a', 4, 3)
  await expect.poll(() => two.has('a'), soon).toBe(1)
  await passing(10 * lookEvery)
  expect([two.has('a'), peaks.get('a')]).toEqual([1, 4])
  one.end('a', 2)
  await expect.poll(() => two.has('a'), soon).toBe(3)
})

test('two engines that both have much to do have half of the places each', async () => {
  const { open } = world()
  const [one, two] = [open('one'), open('two')]
  one.add('a', 8, 1000)
  await expect.poll(() => one.has('a'), soon).toBe(8)
  two.add('a', 8, 1000)
  await untilHalved('a', one, two)
})

test('in a steady state no page asks anything of the store', async () => {
  const { calls, open } = world()
  const [one, two] = [open('one'), open('two')]
  for (const engine of [one, two]) engine.add('a', 8, 100_000)
  await untilHalved('a', one, two)
  const before = calls.count
  for (let page = 0; page < 5_000; page += 1) one.end('a')
  expect([calls.count - before, one.has('a')]).toEqual([0, 4])
})

test('an engine that closes gives back what it has, and one that is left is alone again', async () => {
  const { calls, open } = world()
  const [one, two] = [open('one'), open('two')]
  one.add('a', 2, 2)
  await expect.poll(() => one.has('a'), soon).toBe(2)
  two.add('a', 2, 5)
  one.end('a', 2)
  await one.shares.close()
  await expect.poll(() => two.has('a'), soon).toBe(2)
  await expect
    .poll(async () => {
      const before = calls.count
      two.add('b', 2, 1)
      two.end('b')
      await passing(2)
      return calls.count - before
    }, soon)
    .toBe(0)
})

test('what an engine had that died is given to others when its lease is over, and not before', async () => {
  const { clock, peaks, open } = world()
  const [one, two] = [open('one'), open('two')]
  one.add('a', 2, 1)
  await expect.poll(() => one.has('a'), soon).toBe(1)
  two.add('a', 2, 3)
  await expect.poll(() => two.has('a'), soon).toBe(1)
  one.die()
  await passing(20 * lookEvery)
  expect(two.has('a')).toBe(1)
  await expect
    .poll(async () => {
      await clock.pass(leaseTime / 6)
      return two.has('a')
    }, soon)
    .toBe(2)
  expect(peaks.get('a')).toBe(2)
})

test('the places of very many hosts stand in values of a few hosts each, so that none of them grows large', () => {
  const sizes = new Map<string, number>()
  for (let host = 0; host < 20_000; host += 1) {
    const group = groupOf(`host/h${host % 20}.s${Math.floor(host / 20)}.test`, false)
    sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  expect(Math.max(...sizes.values())).toBeLessThan(30)
})

test('what could not begin while the store was away begins when it is back, though nothing else has changed', async () => {
  const { clock, open } = world()
  const [one, other] = [open('one'), open('other')]
  one.add('pool', 4, 6)
  other.add('another pool', 4, 1)
  await expect.poll(() => [one.has('pool'), other.has('another pool')], soon).toEqual([4, 1])
  const back = await Promise.all([one.loseStore(), other.loseStore()])
  await clock.pass(leaseTime)
  one.end('pool')
  expect(one.has('pool')).toBe(3)
  // Long enough for signs of life to be under way when the store is back.
  await passing(leaseTime)
  back.forEach((isBack) => isBack())
  await expect.poll(() => one.has('pool'), soon).toBe(4)
})

test('a user who was refused, and had no use for a place when that was asked for, may ask again', async () => {
  const { open } = world({ isFew: false })
  const [one, other] = [open('one'), open('other')]
  one.add('pool', 5, 1)
  other.add('pool', 5, 1)
  await expect.poll(() => one.has('pool') + other.has('pool')).toBe(2)
  const woken: string[] = []
  let wants = 1
  const user: ShareUser = { isFew: false, usage: () => ({ running: 0, wants }), wake: (pool) => woken.push(pool) }
  expect(one.shares.mayBegin('second', 5, 0, user)).toBe(false)
  one.shares.want('second', 5, user)
  wants = 0
  await expect.poll(() => woken).toEqual(['second'])
})
