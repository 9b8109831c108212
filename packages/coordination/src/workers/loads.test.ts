import { memoryStore } from '@harvestman/testing'
import type { Store } from '@harvestman/ports'
import { expect, onTestFinished, test } from 'vitest'

import { openLoads } from './loads.ts'

const polling = { timeout: 60_000 }

function world() {
  const store: Store = { ...memoryStore(), reach: 'shared' }
  const open = (owner: string, jobs: number) => {
    const kept = { jobs }
    const loads = openLoads({ store, owner, jobs: () => kept.jobs })
    onTestFinished(() => loads.close())
    return { ...loads, kept }
  }
  return { store, open }
}

test('a worker sees how many jobs others have, and not those of one that has left', async () => {
  const { open } = world()
  const [one, two, three] = [open('one', 1), open('two', 2), open('three', 3)]
  await expect.poll(async () => (await one.others()).toSorted((a, b) => a - b), polling).toEqual([2, 3])
  three.kept.jobs = 7
  three.show()
  await expect.poll(async () => (await one.others()).toSorted((a, b) => a - b), polling).toEqual([2, 7])
  await three.close()
  expect(await one.others()).toEqual([2])
  expect(await two.others()).toEqual([1])
})

test('of very many workers some are read, and others the next time', async () => {
  const { store, open } = world()
  const shown = Array.from({ length: 200 }, (_, number) => {
    const name = number.toString(16).padStart(2, '0')
    return store.set(`list/workers/${name}`, { layout: 1, owner: name, jobs: number }, { ttl: 60_000 })
  })
  await Promise.all(shown)
  const own = open('zz', 0)
  const seen = new Set<number>()
  for (let read = 0; read < 100; read += 1) {
    const others = await own.others()
    expect(others.length).toBeGreaterThanOrEqual(63)
    expect(others.length).toBeLessThanOrEqual(64)
    for (const jobs of others) seen.add(jobs)
  }
  expect(seen.size).toBeGreaterThan(100)
})

test('a worker whose store no other process shares writes nothing', async () => {
  const store = memoryStore()
  const loads = openLoads({ store, owner: 'one', jobs: () => 3 })
  loads.show()
  expect([await loads.others(), await store.list('list/workers/', { limit: 10 })]).toEqual([[], []])
  await loads.close()
})
