import { until } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { EngineError, type Store } from '@harvestman/ports'
import { longIf } from '../../../../scripts/long-tests.ts'
import { openBench, team } from './fixtures/bench.ts'
import { addressesOf, away, bench, numbers, sharedStore, storeThrough } from './fixtures/suite.ts'

const pages = 1_200
const isOfSnapshots = (key: string): boolean => /\/(snapshot$|parts\/)/.test(key)

// What is closed is not asked again.
const gone = (): Promise<never> => Promise.reject(new EngineError('closed', 'The store is closed.'))

/** A store of which what is asked for is told of, and that is gone for good when it is said so. */
function watched(store: Store, isGone: () => boolean = () => false) {
  const read: string[] = []
  const note = (keys: readonly string[]): void => void read.push(...keys)
  const through = storeThrough(store, (work) => (isGone() ? gone() : work()))
  const watching: Store = {
    ...through,
    get: (key) => (note([key]), through.get(key)),
    getMany: (keys) => (note(keys), through.getMany!(keys)),
  }
  return { store: watching, read }
}

/** A job whose engine ends without a word when the store is about to write under a key for the nth time, or has just done so. */
async function endsAt(nth: number, when: 'before' | 'after') {
  const store = sharedStore()
  let [writes, isGone] = [0, false]
  const through = watched(store, () => isGone).store
  const dying: Store = {
    ...through,
    set: async (key, ...more) => {
      const isLast = isOfSnapshots(key) && (writes += 1) === nth
      if (isLast && when === 'before') isGone = true
      await through.set(key, ...more)
      if (isLast) isGone = true
    },
  }
  const first = openBench({ store: dying, leaseTime: 20, concurrency: 16 })
  const job = await first.open(pages)
  await until('it is gone', () => isGone)
  await first.close()
  return { id: job.id, store, isGone }
}

const logReads = (read: readonly string[]): number => new Set(read.filter((key) => key.includes('/log/'))).size

test('a worker that takes a job up reads its snapshot, and of its log only what came after', async () => {
  const { id, store } = await endsAt(5, 'after')
  const { store: seen, read } = watched(store)
  const segments = async (): Promise<number> => {
    let place = 0
    while ((await store.get(`job/${id}/log/${place}`)) !== undefined) place += 1
    return place
  }
  const before = await segments()
  const next = bench({ store: seen, leaseTime: 20, concurrency: 16 })
  const job = await next.jobs.find(id, team)
  while ((await segments()) === before) await new Promise((go) => setImmediate(go))
  expect(logReads(read)).toBeLessThan(before / 2)
  expect(await job.end()).toMatchObject({ status: 'completed', total: pages, completed: pages, creditsUsed: pages })
  expect(await addressesOf(job)).toEqual(numbers(pages))
})

for (const [nth, when] of [
  [1, 'before'],
  [1, 'after'],
  [2, 'before'],
  [2, 'after'],
  [3, 'before'],
  [3, 'after'],
  [4, 'before'],
  [4, 'after'],
] as const)
  test(
    `an engine that ends at write ${nth} of its snapshots, ${when} it, loses no page and doubles none`,
    longIf(nth > 1),
    async () => {
      const { id, store, isGone } = await endsAt(nth, when)
      expect(isGone).toBe(true)
      const job = await bench({ store, leaseTime: 20, concurrency: 16 }).jobs.find(id, team)
      expect(await job.end()).toMatchObject({ status: 'completed', total: pages, completed: pages, creditsUsed: pages })
      expect(await addressesOf(job)).toEqual(numbers(pages))
    },
  )

test('writes of snapshots that fail are repeated, and the job does not notice', { tags: ['long'] }, async () => {
  const store = sharedStore()
  const tried = new Set<string>()
  const isFirst = (key: string): boolean => isOfSnapshots(key) && !tried.has(key) && tried.add(key) !== undefined
  const flaky: Store = { ...store, set: (key, ...more) => (isFirst(key) ? away() : store.set(key, ...more)) }
  const job = await bench({ store: flaky, concurrency: 16 }).open(pages)
  expect(await job.end()).toMatchObject({ completed: pages, creditsUsed: pages })
  expect(await store.get(`job/${job.id}/snapshot`)).toBeDefined()
})

test.each(['its last part', 'its head'])('a snapshot that has lost %s is made anew from the log', async (what) => {
  const { id, store } = await endsAt(4, 'after')
  const { parts } = (await store.get(`job/${id}/snapshot`)) as { readonly parts: { readonly done: readonly string[] } }
  await store.delete(what === 'its head' ? `job/${id}/snapshot` : `job/${id}/parts/${parts.done.at(-1)}`)
  const job = await bench({ store, leaseTime: 20, concurrency: 16 }).jobs.find(id, team)
  expect(await job.end()).toMatchObject({ completed: pages, creditsUsed: pages })
  expect(await addressesOf(job)).toEqual(numbers(pages))
})

test('an engine that is closed leaves a snapshot of where it stood', async () => {
  const store = sharedStore()
  const first = openBench({ store, leaseTime: 20, concurrency: 16 })
  const job = await first.open(pages)
  while ((await job.status()).completed < 100) await new Promise((go) => setImmediate(go))
  await first.close()
  const { state } = (await store.get(`job/${job.id}/snapshot`)) as { readonly state: { readonly places: number } }
  expect(await store.get(`job/${job.id}/log/${state.places}`)).toBeUndefined()
  const next = await bench({ store, leaseTime: 20, concurrency: 16 }).jobs.find(job.id, team)
  expect(await next.end()).toMatchObject({ completed: pages, creditsUsed: pages })
  expect(await addressesOf(next)).toEqual(numbers(pages))
})
