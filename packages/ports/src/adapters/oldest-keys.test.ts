import { expect, test } from 'vitest'

import { oldestKeys } from './oldest-keys.ts'

test('the oldest key of a map is given, in the order in which they were set last', () => {
  const map = new Map([1, 2, 3, 4].map((key) => [key, key]))
  const oldest = oldestKeys(map)
  const takeOldest = (): number | undefined => {
    const key = oldest()
    if (key !== undefined) map.delete(key)
    return key
  }
  expect(takeOldest()).toBe(1)
  map.delete(2)
  map.set(2, 2)
  expect([takeOldest(), takeOldest(), takeOldest(), takeOldest()]).toEqual([3, 4, 2, undefined])
  map.set(5, 5)
  expect([takeOldest(), takeOldest()]).toEqual([5, undefined])
})

test('a key that is set again after it was given and deleted is given again', () => {
  const map = new Map([['a', 1]])
  const oldest = oldestKeys(map)
  expect(oldest()).toBe('a')
  map.delete('a')
  map.set('b', 1).set('a', 1)
  expect(oldest()).toBe('b')
  map.delete('b')
  expect(oldest()).toBe('a')
})
