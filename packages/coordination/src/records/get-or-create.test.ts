import { flaky, handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/testing'
import { getOrCreate } from './get-or-create.ts'

test('the first of many wins, and all get what it kept', async () => {
  const store = memoryStore()
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, index) => getOrCreate(store, 'key', async () => `made by ${index}`)),
  )
  expect(new Set(all)).toEqual(new Set([await store.get('key')]))
  expect(all[0]).toMatch(/^made by \d+$/)
})

test('a later caller makes nothing', async () => {
  const store = memoryStore()
  await getOrCreate(store, 'key', () => null)
  let isMade = false
  const later = await getOrCreate(store, 'key', () => {
    isMade = true
    return 'other'
  })
  expect(later).toBeNull()
  expect(isMade).toBe(false)
})

test('when making fails nothing is kept, and the next one may', async () => {
  const store = memoryStore()
  await expect(getOrCreate(store, 'key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await getOrCreate(store, 'key', () => 'yes')).toBe('yes')
})

test('it is asked again when the ttl has passed', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  await getOrCreate(store, 'key', () => 1, { ttl: 1000 })
  await clock.pass(1000)
  expect(await getOrCreate(store, 'key', () => 2, { ttl: 1000 })).toBe(2)
})

test('a caller whose answer was lost finds on repeating that it was kept', async () => {
  const store = memoryStore()
  const lossy = flaky(store, [{ point: 'update', nth: 1, kind: 'reject after' }])
  await expect(getOrCreate(lossy, 'key', () => 'mine')).rejects.toThrow('as ordered')
  expect(await getOrCreate(lossy, 'key', () => 'again')).toBe('mine')
})
