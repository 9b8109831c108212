import { expect, test } from 'vitest'

import { groupsOf } from './groups-of.ts'

test('a list is divided into groups of the size, in order, and an empty list has none', () => {
  expect(groupsOf(2, [1, 2, 3, 4, 5])).toEqual([[1, 2], [3, 4], [5]])
  expect(groupsOf(2, [1, 2])).toEqual([[1, 2]])
  expect(groupsOf(2, [])).toEqual([])
})
