import { expect, test } from 'vitest'

import { embeddedQueue, memoryStore } from '@harvestman/embedded'
import { EngineError, type Queue, type Store } from '@harvestman/ports'
import { storeKeys } from '../../keys.ts'
import { openVault } from '../../stores/vault.ts'
import { isBody, isList, pagesUntil, sending, who } from '../fixtures/commands.ts'
import { team } from '../fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from '../fixtures/suite.ts'
import { readCommands, sendMore } from './commands.ts'

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

test('a store that moves to another server and loses the work and its commands gets both again', async () => {
  const store = memoryStore()
  await store.set('job/id/letters', [{ asks: 'cancel', layout: 1 }])
  let generation = 0
  const moving: Store = {
    ...store,
    generation: () => generation,
    add: async (key) => {
      if (!isList(key)) return
      for await (const some of store.scan!('job/')) for (const { key } of some) if (isBody(key)) await store.delete(key)
      generation += 1
    },
  }
  await sendMore({ store: moving, vault: undefined }, 'id', ['a', 'b'], sending)
  const commands = await readCommands({ store, vault: undefined }, 'id')
  expect(commands.map(({ asks }) => asks)).toEqual(['cancel', 'more', 'more'])
  const works = commands.map(async (command) => (command.asks === 'more' ? (await command.body()).work : undefined))
  expect(await Promise.all(works)).toEqual([undefined, 'a', 'b'])
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

test('a job is marked as open before the command is stored, and again afterwards', async () => {
  const store = memoryStore()
  const writes: string[] = []
  const note = (key: string): void => {
    const name = isBody(key)
      ? 'work'
      : isList(key)
        ? 'list'
        : key.startsWith(storeKeys.openJob.begins)
          ? 'mark'
          : undefined
    if (name) writes.push(name)
  }
  const { jobs, open } = bench({
    store: {
      ...store,
      set: async (key, ...given) => (note(key), store.set(key, ...given)),
      add: async (key, ...given) => (note(key), store.add!(key, ...given)),
    },
  })
  const job = await open(2)
  await job.end()
  writes.length = 0
  await jobs.sendMore(job.id, who, [1, 2])
  expect(writes.slice(0, 5)).toEqual(['work', 'work', 'mark', 'list', 'mark'])
})

test('work that is stored but cannot be queued is not reported as failed, so that it is not sent twice', async () => {
  const queue = embeddedQueue()
  let isAway = false
  const push: Queue['push'] = async (task) => {
    if (isAway) throw new EngineError('store_failed', 'The queue is away.')
    return queue.push(task)
  }
  const { jobs, open } = bench({ queue: { ...queue, push }, leaseTime: 100 })
  const job = await open(2)
  await job.end()
  isAway = true
  await jobs.sendMore(job.id, who, [3])
  isAway = false
  await expect.poll(async () => (await job.status()).completed).toBe(5)
  await queue.close()
})

test('a command that is stored while its job is settled is processed, even if its sender is gone', async () => {
  const store = memoryStore()
  let isSent = false
  const settling: Store['delete'] = async (key) => {
    if (key.startsWith(storeKeys.openJob.begins) && !isSent) {
      isSent = true
      const id = key.split('/').at(-1)!
      await sendMore({ store, vault: undefined }, id, [3], sending)
    }
    await store.delete(key)
  }
  const { open } = bench({ store: { ...store, delete: settling } })
  const job = await open(2)
  await expect.poll(() => isSent).toBe(true)
  await expect.poll(async () => (await job.status()).completed).toBe(5)
})

test('a cancel can be read by engines of the first layout', async () => {
  const { store, open } = bench({ page: pagesUntil(0) })
  const job = await open(2)
  await job.cancel()
  expect(await store.get(`job/${job.id}/letters`)).toEqual([{ asks: 'cancel', layout: 1 }])
})

test('the credentials in added work are stored encrypted', async () => {
  const store = memoryStore()
  const vault = openVault({ secretKey: 'a'.repeat(64), isSecret: () => false })
  const urls = ['https://user:password@a.example/']
  await sendMore({ store, vault }, 'id', [urls], sending)
  const stored: string[] = []
  for await (const some of store.scan!('job/'))
    for (const { value } of some) stored.push(Buffer.from(value as Uint8Array).toString())
  expect(stored.join('')).not.toContain('password')
  const [command] = await readCommands({ store, vault }, 'id')
  expect(command?.asks === 'more' && (await command.body()).work).toEqual(urls)
})
