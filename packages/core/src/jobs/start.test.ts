import { until } from '@harvestman/testing'
import { EngineError, type Store } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { team } from './fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from './fixtures/suite.ts'

/** Twenty notes of a page each, which make three segments. */
const notes = Array.from({ length: 20 }, () => ({ pages: 1 }))

test('a start with many notes is written in several segments, the first of them last', async () => {
  const store = sharedStore()
  const written: string[] = []
  const noting: Store = {
    ...store,
    update: (key, ...more) => {
      if (key.includes('/log/')) written.push(key.replace(/.*\//, ''))
      return store.update(key, ...more)
    },
  }
  const job = await bench({ store: noting }).open(20, { notes })
  expect(written.slice(0, 3)).toEqual(['2', '1', '0'])
  const status = await job.end()
  expect(status).toMatchObject({ status: 'completed', total: 20 })
  expect(await addressesOf(job)).toEqual(numbers(20))
})

test('a start that was cut off in the middle is completed by the same request', async () => {
  const store = sharedStore()
  let isGone = false
  const failing: Store = {
    ...store,
    update: (key, ...more) => {
      isGone ||= key.endsWith('/log/1')
      return isGone ? Promise.reject(new EngineError('store_failed', 'The store is away.')) : store.update(key, ...more)
    },
  }
  const request = { notes, idempotencyKey: 'once' }
  await expect(bench({ store: failing }).open(20, request)).rejects.toThrow('The store is away.')
  const { open, jobs } = bench({ store })
  const job = await open(20, request)
  await job.end()
  expect(await addressesOf(job)).toEqual(numbers(20))
  expect((await jobs.list(team)).jobs).toHaveLength(1)
})

test.each(['/log/1', '/log/2'])('a job ends with the reason if the store has lost %s of its start', async (lost) => {
  const store = sharedStore()
  const keys: string[] = []
  const losing: Store = {
    ...store,
    update: async (key, ...more) => {
      keys.push(key)
      const result = await store.update(key, ...more)
      if (key.endsWith('/log/0')) for (const one of keys) if (one.endsWith(lost)) await store.delete(one)
      return result
    },
  }
  const job = await bench({ store: losing }).open(20, { notes })
  expect(await job.end()).toMatchObject({ status: 'failed', message: expect.stringContaining('its pages are lost') })
})

test('a job whose start has several segments ends with the reason if the store loses it', async () => {
  const store = sharedStore()
  let made = 0
  const loseAll = async (): Promise<void> => {
    const keys: string[] = []
    for await (const entries of store.scan!('')) keys.push(...entries.map(({ key }) => key))
    for (const key of keys) await store.delete(key)
  }
  const { open } = bench({
    store,
    concurrency: 1,
    leaseTime: 300,
    page: async (_, { id }) => {
      made += 1
      if (made === 5) await loseAll()
      await new Promise((resolve) => setTimeout(resolve, 15))
      return { document: { markdown: id, metadata: {} } } as never
    },
  })
  const job = await open(20, { notes })
  let message: string | undefined = ''
  await until('the job ended', () => {
    void job.status().then(
      (now) => (message = now.message),
      () => undefined,
    )
    return message?.includes('its pages are lost') === true
  })
})
