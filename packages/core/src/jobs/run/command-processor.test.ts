import { handClock, until as waitUntil } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { EngineError, type Json, type Store, type Value } from '@harvestman/ports'
import { answersOf, factTypesOf, isBody, isLog, pagesUntil, sending, who } from '../fixtures/commands.ts'
import { documentOf, team, type MakePage } from '../fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from '../fixtures/suite.ts'
import { sendMore } from '../worker/commands.ts'

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
  expect(await answersOf(next.jobs, job.id)).toEqual([1, 2, 3])
})

test('a job does not end before all parts are processed', async () => {
  const store = memoryStore()
  const gate = Promise.withResolvers<void>()
  let bodies = 0
  const slow: Store['get'] = async (key) => {
    if (isBody(key) && (bodies += 1) > 1) await gate.promise
    return store.get(key)
  }
  const { jobs, open } = bench({ store: { ...store, get: slow } })
  const job = await open(6)
  const sent = jobs.sendMore(job.id, who, [1, 2])
  await expect.poll(async () => (await job.status()).completed).toBe(7)
  // The job would end in this time.
  await new Promise((go) => setTimeout(go, 50))
  expect(await job.status()).toMatchObject({ status: 'scraping', total: 7 })
  gate.resolve()
  await sent
  expect(await job.end()).toMatchObject({ status: 'completed', total: 9 })
  expect(await factTypesOf(jobs, job.id)).not.toContain('reopened')
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

test('a run that ends while work is read leaves the work to the next run', async () => {
  const store = memoryStore()
  const gate = Promise.withResolvers<void>()
  const get: Store['get'] = async (key) => {
    if (isBody(key)) await gate.promise
    return store.get(key)
  }
  const update: Store['update'] = async (key, change, ...given) => {
    const value = isLog(key) ? change(undefined) : undefined
    if (value instanceof Uint8Array && Buffer.from(value).includes('"ended"')) {
      gate.resolve()
      // The work is read before the end of the run is in the log.
      await new Promise((go) => setTimeout(go, 50))
    }
    return store.update(key, change, ...given)
  }
  const hold = Promise.withResolvers<void>()
  const page: MakePage = async (task, visit) => {
    await hold.promise
    return { document: documentOf(task, visit) }
  }
  const { jobs, open } = bench({ store: { ...store, get, update }, page })
  const job = await open(5, { request: { maxCredits: 2 } })
  const sent = jobs.sendMore(job.id, who, [3])
  hold.resolve()
  await sent
  await expect.poll(async () => (await job.status()).total).toBe(8)
  expect(await job.end()).toMatchObject({ status: 'completed', completed: 2, cancelled: 6 })
  const facts = await factTypesOf(jobs, job.id)
  expect(facts.slice(facts.indexOf('ended'))).toEqual(['ended', 'reopened', 'noted', 'answered', 'ended'])
})

const unreadable: [string, () => Promise<Value | undefined>][] = [
  ['that the store does not return', () => Promise.reject(new EngineError('store_failed', 'The store is away.'))],
  ['that the store returns too late', () => new Promise(() => undefined)],
  ['that the store has lost', () => Promise.resolve(undefined)],
  ['of a newer version', () => Promise.resolve(Buffer.from('{"body":1,"layout":99}'))],
]

test.each(unreadable)('a job with added work %s can be cancelled at once', async (_, body) => {
  const store = memoryStore()
  const warnings: string[] = []
  let [reads, visits] = [0, 0]
  const page: MakePage = (...visit) => ((visits += 1), pagesUntil(0)(...visit))
  const get: Store['get'] = (key) => (isBody(key) ? ((reads += 1), body()) : store.get(key))
  const { jobs, open } = bench({ store: { ...store, get }, page, warnings })
  const job = await open(2)
  await expect.poll(() => visits).toBe(2)
  const sent = jobs.sendMore(job.id, who, [1])
  await expect.poll(() => reads).toBeGreaterThan(0)
  expect(await job.cancel()).toBe(true)
  expect(await job.status()).toMatchObject({ status: 'cancelled', total: 2 })
  await sent
  expect(warnings.length).toBeLessThan(2)
})

test('a job with added work of a newer version loads its other pages, and is then left to a newer engine', async () => {
  const store = sharedStore()
  const [newer] = unreadable.slice(-1)
  const get: Store['get'] = (key) => (isBody(key) ? newer![1]() : store.get(key))
  const warnings: string[] = []
  const old = bench({ store: { ...store, get }, warnings, leaseTime: 100 })
  const job = await old.open(2)
  await old.jobs.sendMore(job.id, who, [3])
  await expect.poll(() => warnings).toEqual([expect.stringContaining('left to a newer engine')])
  expect(await job.status()).toMatchObject({ status: 'scraping', completed: 2 })
  const next = bench({ store, leaseTime: 100 })
  const found = await next.jobs.find(job.id, team)
  await expect.poll(async () => (await found.status()).completed).toBe(5)
})

test('a job whose credits are spent is left to a newer engine with added work of a newer version', async () => {
  const store = memoryStore()
  const [newer] = unreadable.slice(-1)
  const get: Store['get'] = (key) => (isBody(key) ? newer![1]() : store.get(key))
  const warnings: string[] = []
  const { jobs, open } = bench({ store: { ...store, get }, warnings })
  const job = await open(5, { request: { maxCredits: 2 } })
  expect(await job.end()).toMatchObject({ status: 'completed', completed: 2 })
  await jobs.sendMore(job.id, who, [3])
  await expect.poll(() => warnings).toEqual([expect.stringContaining('left to a newer engine')])
  expect((await factTypesOf(jobs, job.id)).slice(-2)).toEqual(['ended', 'reopened'])
})

test('an engine that takes over a job loads its pages while the store does not return added work', async () => {
  const store = sharedStore()
  const first = bench({ store, page: pagesUntil(0), leaseTime: 100 })
  const job = await first.open(2)
  await first.close()
  await sendMore({ store, vault: undefined }, job.id, [3], sending)
  let isAway = true
  const get: Store['get'] = (key) => (isAway && isBody(key) ? unreadable[0]![1]() : store.get(key))
  const warnings: string[] = []
  const next = bench({ store: { ...store, get }, warnings, leaseTime: 100 })
  const found = await next.jobs.find(job.id, team)
  await expect.poll(async () => (await found.status()).completed).toBe(2)
  await expect.poll(() => warnings).toEqual(['The commands to a job cannot be read. Reading them is retried.'])
  isAway = false
  expect(await found.end()).toMatchObject({ status: 'completed', total: 5 })
  expect(warnings).toHaveLength(1)
})

test('many small commands are stored in a few segments of the log', async () => {
  const store = memoryStore()
  const segments = new Set<string>()
  const update: Store['update'] = (key, ...given) => {
    if (isLog(key)) segments.add(key)
    return store.update(key, ...given)
  }
  let visits = 0
  const page: MakePage = (...visit) => ((visits += 1), pagesUntil(0)(...visit))
  const { jobs, open } = bench({ store: { ...store, update }, page })
  const job = await open(2)
  await expect.poll(() => visits).toBe(2)
  await Promise.all(Array.from({ length: 200 }, () => jobs.sendMore(job.id, who, [1])))
  expect((await job.status()).total).toBe(202)
  expect(segments.size).toBeLessThan(20)
})

test('a cancel is processed although other commands are of a newer version', async () => {
  const store = sharedStore()
  const { open } = bench({ store, page: pagesUntil(0), leaseTime: 100 })
  const job = await open(2)
  await store.set(`job/${job.id}/letters`, [{ asks: 'more', layout: 99 }])
  expect(await job.cancel()).toBe(true)
  expect(await job.status()).toMatchObject({ status: 'cancelled' })
})

test('a command of an unknown type is skipped', async () => {
  const store = sharedStore()
  const first = bench({ store, page: pagesUntil(1), leaseTime: 100 })
  const job = await first.open(2)
  await first.close()
  await store.set(`job/${job.id}/letters`, [
    { asks: 'pause', layout: 1 },
    { asks: 'more', body: 3, layout: 1 },
  ])
  const next = bench({ store, leaseTime: 100 })
  const found = await next.jobs.find(job.id, team)
  expect(await found.end()).toMatchObject({ status: 'completed', total: 5 })
  expect(await answersOf(next.jobs, job.id)).toEqual([1, 2])
})

test('a cancel that was stored when the job had ended does not cancel work that is added later', async () => {
  const store = memoryStore()
  const { jobs, open } = bench({ store })
  const job = await open(2)
  await job.end()
  await store.set(`job/${job.id}/letters`, [{ asks: 'cancel', layout: 1 }])
  await jobs.sendMore(job.id, who, [3])
  await expect.poll(async () => (await job.status()).completed).toBe(5)
  expect(await job.end()).toMatchObject({ status: 'completed', total: 5 })
})

test('a cancel right after work was added to an ended job cancels that work', async () => {
  const { jobs, open } = bench({ page: pagesUntil(2) })
  const job = await open(2)
  await job.end()
  await jobs.sendMore(job.id, who, [3])
  expect(await job.cancel()).toBe(true)
  expect(await job.end()).toMatchObject({ status: 'cancelled', completed: 2 })
})
