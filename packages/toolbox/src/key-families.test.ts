import { expect, test } from 'vitest'

import { keyFamilies } from './key-families.ts'

const about = { keeps: 'notes', writes: 'a test', lives: 'a day' }

test('a key of a family begins with its prefix', () => {
  const keys = keyFamilies({ notes: { begins: 'note/', ...about }, counts: { begins: 'count', ...about } })
  expect([keys.notes('a'), keys.notes(), keys.counts()]).toEqual(['note/a', 'note/', 'count'])
})

test('a family can be described', () => {
  expect({ ...keyFamilies({ notes: { begins: 'note/', ...about } }).notes }).toEqual({ begins: 'note/', ...about })
})
