import { expect, test } from 'vitest'

import { makeTurns } from './turns.ts'

test('teams are served in turns, and the items of a team in their order', () => {
  const turns = makeTurns<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.push(item[0]!, item)
  expect(turns.size).toBe(6)
  expect(Array.from({ length: 7 }, () => turns.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  expect(turns.size).toBe(0)
})

test('a team that may not be served keeps its turn', () => {
  const turns = makeTurns<string>()
  for (const item of ['a1', 'b1', 'b2']) turns.push(item[0]!, item)
  expect(turns.shift((team) => team === 'b')).toBe('b1')
  expect([turns.has((team) => team === 'c'), turns.shift((team) => team === 'c')]).toEqual([false, undefined])
  expect([turns.shift(), turns.shift()]).toEqual(['a1', 'b2'])
})
