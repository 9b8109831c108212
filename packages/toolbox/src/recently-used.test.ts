import { expect, test } from 'vitest'

import { recentlyUsed } from './recently-used.ts'

const texts = (limit: number) => recentlyUsed<string, string>(limit, { sizeOf: (text) => text.length })

test('what was unused for longest is forgotten first', () => {
  const map = texts(4)
  map.set('a', 'xx')
  map.set('b', 'xx')
  map.get('a')
  map.set('c', 'xx')
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['xx', undefined, 'xx'])
})

test('a value larger than the limit is not kept, and drives nothing out', () => {
  const map = texts(4)
  map.set('a', 'xx')
  map.set('b', 'xxxxx')
  expect([map.get('a'), map.get('b')]).toEqual(['xx', undefined])
})

test('a value set again counts once', () => {
  const map = texts(4)
  for (let round = 0; round < 10; round += 1) map.set('a', 'xx')
  map.set('b', 'xx')
  expect([map.get('a'), map.get('b')]).toEqual(['xx', 'xx'])
})

test('values are evicted in the order of their last use, however many left before', () => {
  const removed: number[] = []
  const map = recentlyUsed<number, number>(3, { onRemoved: (value) => void removed.push(value) })
  for (const key of [1, 2, 3, 4]) map.set(key, key)
  map.get(2)
  map.delete(3)
  for (const key of [5, 6, 3]) map.set(key, key)
  expect(removed).toEqual([1, 3, 4, 2])
  expect(map.keys()).toEqual([5, 6, 3])
})

test('a value that is replaced or deleted is reported once, and the newest one can be used again and again', () => {
  const removed: string[] = []
  const map = recentlyUsed<string, string>(2, { onRemoved: (value) => void removed.push(value) })
  map.set('a', 'first')
  map.set('a', 'second')
  map.set('b', 'third')
  expect([map.get('b'), map.get('a'), map.get('a')]).toEqual(['third', 'second', 'second'])
  map.set('c', 'fourth')
  map.delete('c')
  map.delete('c')
  expect(removed).toEqual(['first', 'third', 'fourth'])
})
