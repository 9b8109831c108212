import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { documentOf, openBench, team, type MakePage } from './fixtures/bench.ts'
import { bench, sharedStore } from './fixtures/suite.ts'

const newer = /written by a newer version .*Use that version on this store/

test('a job whose checkpoint a newer version has written is refused, with what to do', async () => {
  const store = memoryStore()
  const one = bench({ store })
  const job = await one.open(1)
  await job.end()
  await one.close()
  await store.update(`job/${job.id}`, (old) => ({ ...(old as object), layout: 99 }))
  await expect(bench({ store }).jobs.find(job.id, team)).rejects.toThrow(newer)
})

test('a job in whose log a newer version has written is left to it, and told of once', async () => {
  const store = sharedStore()
  const page: MakePage = async (task, attempt) =>
    task.number === 0
      ? { document: documentOf(task, attempt) }
      : new Promise((_, reject) =>
          attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason as Error)),
        )
  const one = openBench({ store, page, concurrency: 1, leaseTime: 20 })
  const job = await one.open(2)
  for await (const _ of job.documents()) break
  await one.close()
  const key = `job/${job.id}/log/0`
  const bytes = (await store.get(key)) as Uint8Array
  const text = Buffer.from(bytes).toString('latin1')
  await store.set(key, new Uint8Array(Buffer.from(text.replace('"layout":2', '"layout":9'), 'latin1')))
  const warnings: string[] = []
  const next = bench({ store, leaseTime: 20, warnings })
  await next.jobs.work()
  await expect.poll(() => warnings).toEqual([expect.stringMatching(/left to a newer engine/)])
  // Asked for again, it is not tried again.
  await new Promise((go) => setTimeout(go, 100))
  expect(warnings).toHaveLength(1)
  expect((await (await next.jobs.find(job.id, team)).status()).status).toBe('scraping')
})

test('a job whose log cannot be read is told of once, and goes on when it can be read again', async () => {
  const store = sharedStore()
  const page: MakePage = (_, attempt) =>
    new Promise((__, reject) => attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason as Error)))
  const one = openBench({ store, page, leaseTime: 20 })
  const job = await one.open(2)
  await one.close()
  let isBroken = true
  const get: typeof store.get = async (key) => {
    if (isBroken && key.includes('/log/')) throw new TypeError('The bytes are detached.')
    return store.get(key)
  }
  const warnings: string[] = []
  const next = bench({
    store: { ...store, get, getMany: (keys) => Promise.all(keys.map(get)) },
    leaseTime: 20,
    warnings,
  })
  await next.jobs.work()
  await expect.poll(() => warnings, { timeout: 60_000 }).toEqual([expect.stringMatching(/could not be run/)])
  await new Promise((go) => setTimeout(go, 100))
  expect(warnings).toHaveLength(1)
  isBroken = false
  const found = await next.jobs.find(job.id, team)
  await expect.poll(async () => (await found.status()).status, { timeout: 60_000 }).toBe('completed')
})

test('every record of a job says its version', async () => {
  const store = sharedStore()
  const keys = new Set<string>()
  const noting = {
    ...store,
    set: async (...given: Parameters<typeof store.set>) => (keys.add(given[0]), store.set(...given)),
    update: async (...given: Parameters<typeof store.update>) => (keys.add(given[0]), store.update(...given)),
  }
  const one = bench({ store: noting })
  const job = await one.open(3, { idempotencyKey: 'a' })
  await one.jobs.sendMore(job.id, { team, kind: 'count' }, [2])
  await job.end()
  const kept = await Promise.all([...keys].map(async (key) => [key, await store.get(key)] as const))
  const records = kept.filter(([, value]) => typeof value === 'object' && value !== null)
  const without = records.filter(([, value]) => {
    if (value instanceof Uint8Array) return !Buffer.from(value).toString('latin1').includes('"layout":')
    return ![value].flat().every((one) => typeof (one as { layout?: unknown }).layout === 'number')
  })
  expect(records.length).toBeGreaterThan(4)
  expect(without.map(([key]) => key)).toEqual([])
})
