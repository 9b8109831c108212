import { memoryStore } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { makeProfiles } from './profiles.ts'

/** Profiles of one engine, whose clock moves only while a writer waits. */
function bench() {
  let now = 0
  const waits: (() => Promise<void>)[] = []
  const sleep = async (ms: number): Promise<void> => {
    now += ms
    await waits.shift()?.()
  }
  const clock = { now: () => now, sleep }
  const locked = new Set<string>()
  const lock = async (key: string) => {
    if (locked.has(key)) return undefined
    locked.add(key)
    return async () => void locked.delete(key)
  }
  return { profiles: makeProfiles({ store: memoryStore({ clock }), clock, lock }), waits, waited: () => now }
}

test('a writer waits for one that saves at once', async () => {
  const { profiles, waits } = bench()
  const first = await profiles.open('team', 'shop', true)
  waits.push(async () => {
    await first.save({ cookies: [] })
    await first.close()
  })
  expect((await profiles.open('team', 'shop', true)).state).toEqual({ cookies: [] })
})

test('a writer waits at most half a second', async () => {
  const { profiles, waited } = bench()
  await profiles.open('team', 'shop', true)
  await expect(profiles.open('team', 'shop', true)).rejects.toMatchObject({ code: 'conflict' })
  expect(waited()).toBe(500)
})
