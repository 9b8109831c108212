import { describe, expect, test } from 'vitest'

import { EngineError, type Blobs } from '@harvestman/ports'
import { checkQueue, checkStore, makeFileCheck } from './check.ts'
import { memoryBlobs, memoryStore } from '@harvestman/embedded'

test('a store that keeps things passes, and keeps nothing of the check', async () => {
  const written: string[] = []
  const store = memoryStore()
  await checkStore({
    ...store,
    update: (key, change, options) => {
      written.push(key)
      return store.update(key, change, options)
    },
  })
  expect(written).toHaveLength(1)
  expect(await store.get(written[0] ?? '')).toBeUndefined()
})

test('a store that forgets what it has taken does not', async () => {
  const store = { ...memoryStore(), get: async () => undefined }
  await expect(checkStore(store)).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'forgetful' } })
})

test('what the store says of itself comes first', async () => {
  const gone = new EngineError('store_failed', 'Gone.', { details: { reason: 'missing' } })
  await expect(checkStore({ ...memoryStore(), check: () => Promise.reject(gone) })).rejects.toBe(gone)
})

test('a queue that is away is named in the reason', async () => {
  const away = new EngineError('store_failed', 'Away.', { details: { reason: 'away' } })
  const queue = { check: () => Promise.reject(away) }
  await expect(checkQueue(queue)).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'queue away' } })
  await expect(checkQueue({})).resolves.toBeUndefined()
})

describe('A place for files', () => {
  const placeWith = (part: Partial<Blobs>): Blobs => ({ ...memoryBlobs(), ...part })
  const later = { now: () => 0, sleep: async () => undefined }

  test('passes when it gives back what it took, and is not asked again for a while', async () => {
    let puts = 0
    const place = memoryBlobs()
    const check = makeFileCheck({ ...place, put: (file) => ((puts += 1), place.put(file)) }, later)
    await check()
    await check()
    expect(puts).toBe(1)
  })

  test('passes when it is checked twice at the same time', async () => {
    const check = makeFileCheck(memoryBlobs(), later)
    await expect(Promise.all([check(), check()])).resolves.toBeDefined()
  })

  test.each([
    ['is full', { put: () => Promise.reject(failed('full')) }, 'files full'],
    ['cannot be reached', { put: () => Promise.reject(failed('away')) }, 'files away'],
    ['breaks', { put: () => Promise.reject(new Error('broken')) }, 'files failed'],
    ['forgets', { get: async () => undefined }, 'files forgetful'],
  ])('fails each time when it %s, with a reason that says that it is the files', async (_, part, reason) => {
    const check = makeFileCheck(placeWith(part), later)
    for (const _ of [1, 2]) await expect(check()).rejects.toMatchObject({ code: 'store_failed', details: { reason } })
  })
})

function failed(reason: string): EngineError {
  return new EngineError('store_failed', 'It failed.', { details: { reason } })
}
