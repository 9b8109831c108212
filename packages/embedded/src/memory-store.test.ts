import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { frozenJson } from '@harvestman/ports/values'
import { memoryStore } from './memory-store.ts'

// The store gives no way to count what it holds, so what has expired is found by the memory that comes back.
async function memoryInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round += 1) {
    await new Promise(setImmediate)
    collect()
  }
  return process.memoryUsage().arrayBuffers
}

test('what has expired is forgotten by and by, though it is not asked for', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  const before = await memoryInUse()
  for (let number = 0; number < 200; number += 1) await store.set(`old ${number}`, new Uint8Array(500_000), { ttl: 10 })
  const full = (await memoryInUse()) - before
  await clock.pass(10)
  for (let number = 0; number < 100; number += 1) await store.get('something else')
  expect(full).toBeGreaterThan(80_000_000)
  expect((await memoryInUse()) - before).toBeLessThan(full / 4)
  await store.close()
})

test('a call looks at a few keys only, however many there are', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  for (let number = 0; number < 100; number += 1) await store.set(`key ${number}`, number, { ttl: 1000 })
  const reads = clock.reads
  await store.get('key 1')
  expect(clock.reads).toBe(reads + 1)
})

test('a value that is not JSON is refused by code', async () => {
  const error: unknown = await memoryStore()
    .set('key', 1n as never)
    .catch((error: unknown) => error)
  expect(EngineError.is(error) && error.code).toBe('store_failed')
})

test('a closed store says so by code', async () => {
  const store = memoryStore()
  await store.close()
  const error: unknown = await store.get('key').catch((error: unknown) => error)
  expect(EngineError.is(error) && error.code).toBe('closed')
})

test('what may go before its time goes when it is more than fits: the oldest first, and nothing else', async () => {
  const gone: string[] = []
  const store = memoryStore({ bytes: 10_000, forgot: (some) => gone.push(...some.map(({ key }) => key)) })
  const value = new Uint8Array(3_000)
  await store.set('stays', new Uint8Array(50_000))
  for (const key of ['a', 'b', 'c']) await store.set(key, value, { isSpare: true })
  await store.set('a', value, { isSpare: true })
  await store.set('d', value, { isSpare: true })
  expect(gone).toEqual(['b'])
  expect(await store.get('b')).toBeUndefined()
  for (const key of ['stays', 'a', 'c', 'd']) expect(await store.get(key)).toBeDefined()
})

test('what was deleted, has expired or may not go any more is not counted', async () => {
  const clock = handClock()
  const gone: string[] = []
  const store = memoryStore({ clock, bytes: 10_000, forgot: (some) => gone.push(...some.map(({ key }) => key)) })
  const value = new Uint8Array(3_000)
  await store.set('deleted', value, { isSpare: true })
  await store.delete('deleted')
  await store.set('expired', value, { isSpare: true, ttl: 10 })
  await clock.pass(10)
  expect(await store.get('expired')).toBeUndefined()
  await store.set('needed', value, { isSpare: true })
  await store.update('needed', () => value.slice())
  for (const key of ['a', 'b', 'c']) await store.set(key, value, { isSpare: true })
  expect(gone).toEqual([])
})

test('what is larger than all the room is not kept', async () => {
  const store = memoryStore({ bytes: 1_000 })
  await store.set('large', new Uint8Array(2_000), { isSpare: true })
  expect(await store.get('large')).toBeUndefined()
})

test('frozen JSON is kept as it is and given so to who changes it; readers get a copy of their own', async () => {
  const store = memoryStore()
  const row = frozenJson({ a: { b: 1 }, list: [1] })
  await store.set('key', row)
  const seen: unknown[] = []
  await store.update('key', (old) => (seen.push(old), frozenJson({ ...(old as typeof row), c: 2 })))
  expect(seen).toEqual([row])
  expect(seen[0]).toBe(row)
  const read = (await store.get('key')) as { a: { b: number }; c: number }
  expect(read).toEqual({ a: { b: 1 }, list: [1], c: 2 })
  read.a.b = 9
  expect(await store.get('key')).toEqual({ a: { b: 1 }, list: [1], c: 2 })
  await store.set('list', frozenJson([1]))
  await store.add?.('list', [2])
  expect(await store.get('list')).toEqual([1, 2])
})

test('JSON that its giver froze alone is copied, since what is in it may change', async () => {
  const store = memoryStore()
  const inner = { b: 1 }
  await store.set('key', Object.freeze({ inner }))
  inner.b = 2
  expect(await store.get('key')).toEqual({ inner: { b: 1 } })
})
