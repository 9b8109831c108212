import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { memoryStore } from '../stores/memory.ts'
import { followersOf, openMembership, type Membership } from './membership.ts'

test('each of many engines sees to a few others and is seen to by a few, and of a few engines to all of them', () => {
  const few = ['a', 'b', 'c']
  expect(few.map((name) => followersOf(name, few))).toEqual([
    ['b', 'c'],
    ['c', 'a'],
    ['a', 'b'],
  ])
  expect(followersOf('new', few)).toEqual(few)
  const many = Array.from({ length: 100 }, (_, number) => `engine-${number}`)
  const seenTo = new Map<string, number>()
  for (const name of many) for (const other of followersOf(name, many)) seenTo.set(other, (seenTo.get(other) ?? 0) + 1)
  expect([...new Set(seenTo.values())]).toEqual([16])
  expect(seenTo.size).toBe(100)
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
    const members: { membership: Membership; die: () => void }[] = []
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
      const parts = { store, clock, engine, leaseTime, lookEvery: 5, isGone: () => false }
      const told = { changed: nothing, publish: async () => undefined, lost: nothing, failed: nothing }
      const membership = openMembership({ ...parts, ...told })
      membership.join()
      members.push({ membership, die: () => (isDead = true) })
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
    for (const { membership } of [...left, ...members]) await membership.leave().catch(() => undefined)
  },
)
