import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { lease, leaseWatch } from '../records/lease.ts'
import { memoryStore } from '@harvestman/testing'
import {
  monitoredEngines,
  joinEngines,
  leaveEngines,
  makeHolder,
  membershipOf,
  type Holder,
  type Membership,
} from './holders.ts'

test('each of many engines sees to a few others and is seen to by a few, and of a few engines to all of them', () => {
  const few = ['a', 'b', 'c']
  expect(few.map((name) => monitoredEngines(name, few))).toEqual([
    ['b', 'c'],
    ['c', 'a'],
    ['a', 'b'],
  ])
  expect(monitoredEngines('new', few)).toEqual(few)
  const many = Array.from({ length: 100 }, (_, number) => `engine-${number}`)
  const seenTo = new Map<string, number>()
  for (const name of many)
    for (const other of monitoredEngines(name, many)) seenTo.set(other, (seenTo.get(other) ?? 0) + 1)
  expect([...new Set(seenTo.values())]).toEqual([16])
  expect(seenTo.size).toBe(100)
})

/** One engine by itself, whose store answers when the test lets it. */
function alone(leaseTime: number) {
  const clock = handClock()
  const memory = memoryStore({ clock })
  let answered: Promise<void> | undefined
  const store: Store = {
    ...memory,
    reach: 'shared',
    get: async (key) => (await answered, memory.get(key)),
    update: async (...call) => (await answered, memory.update(...call)),
  }
  const told: Membership[] = []
  const changed = () => void told.push(membershipOf(holder))
  const parts = { store, clock, engine: 'one', leaseTime, pollInterval: 60_000 }
  const holder = makeHolder({ ...parts, changed, publish: async () => undefined, lost: () => undefined })
  const block = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answered = promise
    return resolve
  }
  return { clock, holder, told, block, memory }
}

test.each([
  { engioes: [], isAlone: true },
  { engines: 'one', isAlone: true },
  { engines: [1], isAlone: true },
])('an engine comes in where the list of engines was damaged: %j', async (damaged) => {
  const { holder, memory } = alone(1_000)
  await memory.set('engines', { ...damaged, layout: 1 })
  await holder.look()
  expect(membershipOf(holder)).toBe('alone')
})

test('an engine that is silent for its time is out, and its next sign of life brings it back and tells of that', async () => {
  const { clock, holder, told } = alone(1_000)
  await holder.look()
  await clock.pass(999)
  expect(membershipOf(holder)).toBe('alone')
  await clock.pass(1)
  expect(membershipOf(holder)).toBe('out')
  await holder.beat()
  expect([membershipOf(holder), told]).toEqual(['alone', ['alone', 'alone']])
})

test('a sign of life that was under way for longer than an engine may be silent brings nothing back, and the one after it does', async () => {
  const { clock, holder, told, block } = alone(1_000)
  await holder.look()
  await clock.pass(500)
  const answer = block()
  const beat = holder.beat()
  await clock.pass(1_000)
  answer()
  await beat
  expect([membershipOf(holder), told]).toEqual(['out', ['alone']])
  await holder.beat()
  expect([membershipOf(holder), told]).toEqual(['alone', ['alone', 'alone']])
})

test('an engine that others took for dead has lost what it had, and comes in under another name', async () => {
  const { clock, holder } = alone(1_000)
  let lost = 0
  Object.assign(holder, { lost: () => (lost += 1) })
  await holder.look()
  const watch = leaseWatch(clock)
  const other = { owner: 'other', ttl: 1_000, watch, isDead: () => true }
  await (await lease(holder.store, 'engine/one', other))?.release()
  await holder.beat()
  await holder.look()
  expect([lost, holder.name, membershipOf(holder)]).toEqual([1, 'one/1', 'alone'])
})

// Real timers drive the engines, and leases are measured by a clock that only the test sets forth.
test(
  'of forty engines, of which none reads the presence of all, those that die together are found out',
  { timeout: 120_000 },
  async () => {
    const clock = handClock()
    const memory = memoryStore({ clock })
    const leaseTime = 60
    let most = 0
    const members: { holder: Holder; die: () => void }[] = []
    const open = (engine: string) => {
      let isDead = false
      const alive = <T>(work: () => Promise<T>): Promise<T> => (isDead ? Promise.reject(new Error('dead')) : work())
      const store: Store = {
        ...memory,
        reach: 'shared',
        get: (key) => alive(() => memory.get(key)),
        getMany: (keys) => {
          most = Math.max(most, keys.length)
          return alive(() => Promise.all(keys.map((key) => memory.get(key))))
        },
        update: (...call) => alive(() => memory.update(...call)),
      }
      const nothing = () => undefined
      const parts = { store, clock, engine, leaseTime, pollInterval: 5 }
      const told = { changed: nothing, publish: async () => undefined, lost: nothing }
      const holder = makeHolder({ ...parts, ...told })
      joinEngines(holder)
      members.push({ holder, die: () => (isDead = true) })
    }
    const listed = async () =>
      ((await memory.get('engines')) as { engines: readonly string[] } | undefined)?.engines ?? []
    const soon = { timeout: 60_000, interval: 10 }
    for (let number = 0; number < 40; number += 1) open(`engine-${number}`)
    await expect.poll(async () => (await listed()).length, soon).toBe(40)
    // More in a row than one engine sees to.
    const left = members.splice(30)
    for (const { die } of members) die()
    await expect
      .poll(async () => {
        await clock.pass(leaseTime / 6)
        return (await listed()).length
      }, soon)
      .toBe(10)
    expect(most).toBeLessThanOrEqual(16)
    for (const { holder } of [...left, ...members]) await leaveEngines(holder).catch(() => undefined)
  },
)
