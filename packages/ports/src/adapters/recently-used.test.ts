import { expect, test } from 'vitest'

import { recentlyUsed } from './recently-used.ts'

const texts = (limit: number) => recentlyUsed<string>(limit, (text) => text.length)

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
