import { expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { checkStore } from './check.ts'
import { memoryStore } from '@harvestman/embedded'

test('a store that keeps things passes, and keeps nothing of the check', async () => {
  const written: string[] = []
  const store = memoryStore()
  await checkStore({
    ...store,
    set: async (key, value, options) => {
      written.push(key)
      await store.set(key, value, options)
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
