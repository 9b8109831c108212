import { handClock, until as waitUntil } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { EngineError, type Json, type Store, type Value } from '@harvestman/ports'
import { documentOf, team, type MakePage } from '../fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from '../fixtures/suite.ts'
import { sendMore } from './commands.ts'

const who = { team, kind: 'count' }
const isList = (key: string): boolean => key.endsWith('/letters')
const isBody = (key: string): boolean => key.includes('/letters/')

/** Loads pages until the visit is aborted, from the page with this number on. */
function pagesUntil(number: number): MakePage {
  return (task, visit) =>
    task.number < number
      ? Promise.resolve({ document: documentOf(task, visit) })
      : new Promise((_, reject) => visit.signal.addEventListener('abort', () => reject(visit.signal.reason as Error)))
}

function answered(log: readonly { readonly is: string }[]): unknown[] {
  return log.flatMap((fact) => (fact.is === 'answered' ? [(fact as { readonly letters?: number }).letters] : []))
}

test('the work of a command is stored apart from the list of commands, and read once', async () => {
  const store = memoryStore()
  const reads: string[] = []
  const get: Store['get'] = (key) => {
    if (isBody(key)) reads.push(key)
    return store.get(key)
  }
  const { jobs, open } = bench({ store: { ...store, get } })
  const job = await open(2)
  await job.end()
  for (const parts of [[1, 2, 3], [4]]) {
    await jobs.sendMore(job.id, who, parts)
    await job.end()
  }
  await expect.poll(async () => (await job.status()).completed).toBe(12)
  expect(await addressesOf(job)).toEqual(numbers(12))
  const list = (await store.get(`job/${job.id}/letters`)) as readonly object[]
  expect(list.map((command) => Object.keys(command).toSorted())).toEqual(
    Array.from({ length: 4 }, () => ['asks', 'layout', 'part']),
  )
  expect(new Set(reads).size).toBe(4)
  expect(reads).toHaveLength(4)
})

test('each part is processed with one write, and an engine that ends in between leaves the others to the next one', async () => {
  const store = sharedStore()
  let bodies = 0
  const stuck: Store['get'] = async (key) => {
    if (isBody(key) && (bodies += 1) > 2) throw new EngineError('store_failed', 'The store is away.')
    return store.get(key)
  }
  const first = bench({ store: { ...store, get: stuck }, page: pagesUntil(1), leaseTime: 100 })
  const job = await first.open(2)
  void first.jobs.sendMore(job.id, who, [3, 4, 5]).catch(() => undefined)
  await expect.poll(() => bodies).toBeGreaterThan(2)
  expect(await job.status()).toMatchObject({ status: 'scraping', total: 9 })
  await first.close()
  const next = bench({ store, leaseTime: 100 })
  const found = await next.jobs.find(job.id, team)
  expect(await found.end()).toMatchObject({ status: 'completed', total: 14, completed: 14 })
  expect(await addressesOf(found)).toEqual(numbers(14))
  const facts: { readonly is: string }[] = []
  for await (const fact of next.jobs.facts(job.id, team)) facts.push(fact)
  expect(answered(facts)).toEqual([1, 2, 3])
})

test('a job does not end before all parts are processed', async () => {
  const store = memoryStore()
  const gate = Promise.withResolvers<void>()
  let bodies = 0
  const slow: Store['get'] = async (key) => {
    if (isBody(key) && (bodies += 1) > 1) await gate.promise
    return store.get(key)
  }
  const { jobs, open } = bench({ store: { ...store, get: slow }, page: pagesUntil(5) })
  const job = await open(6)
  const sent = jobs.sendMore(job.id, who, [1, 2])
  await expect.poll(() => bodies).toBe(2)
  gate.resolve()
  await sent
  expect(await job.status()).toMatchObject({ status: 'scraping', total: 9 })
})

test('a job that is cancelled while parts are processed ends without the others', async () => {
  const store = memoryStore()
  const gate = Promise.withResolvers<void>()
  let bodies = 0
  const slow: Store['get'] = async (key) => {
    if (isBody(key) && (bodies += 1) > 1) await gate.promise
    return store.get(key)
  }
  const { jobs, open } = bench({ store: { ...store, get: slow }, page: pagesUntil(0) })
  const job = await open(1)
  const sent = jobs.sendMore(job.id, who, [1, 2, 3, 4])
  await expect.poll(() => bodies).toBe(2)
  const cancelled = job.cancel()
  await expect.poll(async () => (await store.get(`job/${job.id}/letters`)) as Json[]).toHaveLength(5)
  gate.resolve()
  expect(await cancelled).toBe(true)
  await sent
  expect(await job.end()).toMatchObject({ status: 'cancelled', completed: 0 })
  expect(bodies).toBeLessThanOrEqual(3)
})

test('work that could not be stored as a whole is not in the job', async () => {
  const store = memoryStore()
  const refused = (): Promise<never> => Promise.reject(new EngineError('store_failed', 'The store is full.'))
  let isFull = true
  const { jobs, open } = bench({
    store: {
      ...store,
      set: (key, ...given) => (isFull && isBody(key) && key.endsWith('-1') ? refused() : store.set(key, ...given)),
    },
  })
  const job = await open(2)
  await expect(jobs.sendMore(job.id, who, [1, 2])).rejects.toThrow('The store is full.')
  isFull = false
  expect(await job.end()).toMatchObject({ status: 'completed', total: 2 })
  await jobs.sendMore(job.id, who, [3])
  await expect.poll(async () => (await job.status()).completed).toBe(5)
})

test('a store that moves to another server while work is sent gets it again', async () => {
  const store = memoryStore()
  let generation = 0
  const moving: Store = {
    ...store,
    generation: () => generation,
    add: async (key, ...given) => {
      if (isList(key)) {
        for await (const some of store.scan!('job/'))
          for (const { key } of some) if (isBody(key)) await store.delete(key)
        generation += 1
      }
      return store.add!(key, ...given)
    },
  }
  await sendMore(moving, 'id', ['a', 'b'], () => ({}))
  const kept = new Map<string, Value>()
  for await (const some of store.scan!('job/')) for (const { key, value } of some) kept.set(key, value)
  const commands = kept.get('job/id/letters') as readonly { readonly part: string }[]
  expect(commands.map(({ part }) => kept.get(`job/id/letters/${part}`))).toEqual([
    { body: 'a', layout: 1 },
    { body: 'b', layout: 1 },
  ])
})

test('commands of the first layout, which contain their work, are processed', async () => {
  const store = sharedStore()
  const first = bench({ store, page: pagesUntil(1), leaseTime: 100 })
  const job = await first.open(2)
  await first.close()
  await store.set(`job/${job.id}/letters`, [
    { asks: 'more', body: 3, layout: 1 },
    { asks: 'more', body: 2 },
  ])
  const next = bench({ store, leaseTime: 100 })
  const found = await next.jobs.find(job.id, team)
  expect(await found.end()).toMatchObject({ status: 'completed', total: 7 })
})

test('a job whose added work the store has lost fails with the reason', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  let reads = 0
  const get: Store['get'] = async (key) => (isBody(key) ? void (reads += 1) : store.get(key))
  const { jobs, open } = bench({ store: { ...store, get }, clock, page: pagesUntil(1) })
  const job = await open(2)
  void jobs.sendMore(job.id, who, [1])
  let status = await job.status()
  await waitUntil(
    'the job failed',
    () => (void job.status().then((now) => (status = now)), status.status === 'failed'),
    clock,
  )
  expect(status).toMatchObject({
    message: 'The store has lost work that was added to this job. Start a new job with it.',
  })
  // It may arrive late: a sender stores it again if the store has just moved.
  expect(reads).toBeGreaterThan(5)
})
