import { expect, test } from 'vitest'

import { fairlyKept } from './fairly-kept.ts'

test('what a team has not used for longest is forgotten first', () => {
  const kept = fairlyKept<string>(40_000)
  for (let number = 0; number < 8; number += 1) kept.set('a', `k${number}`, 'v', 4_400)
  expect(kept.get('a', 'k0')).toBe('v')
  kept.set('a', 'more', 'v', 4_400)
  expect([kept.get('a', 'k0'), kept.get('a', 'k1'), kept.get('a', 'more')]).toEqual(['v', undefined, 'v'])
})

test('a team that asks for much takes nothing from one that has less', () => {
  const kept = fairlyKept<number>(40_000)
  kept.set('quiet', 'own', 1, 1_000)
  for (let number = 0; number < 1_000; number += 1) kept.set('loud', `k${number}`, number, 1_000)
  expect([kept.get('quiet', 'own'), kept.get('loud', 'k0'), kept.get('loud', 'k999')]).toEqual([1, undefined, 999])
})

test('a team that comes later gets its share from the one that has most', () => {
  const kept = fairlyKept<number>(40_000)
  for (let number = 0; number < 100; number += 1) kept.set('first', `k${number}`, number, 1_000)
  for (let number = 0; number < 10; number += 1) kept.set('second', `k${number}`, number, 1_000)
  const there = Array.from({ length: 10 }, (_, number) => kept.get('second', `k${number}`))
  expect(there).toEqual(Array.from({ length: 10 }, (_, number) => number))
})

test('entries without bytes are bounded as well, and a value larger than its part is not kept', () => {
  const kept = fairlyKept<number>(40_000)
  for (let number = 0; number < 1_000; number += 1) kept.set('a', `k${number}`, number, 0)
  const there = Array.from({ length: 1_000 }, (_, number) => kept.get('a', `k${number}`)).filter(
    (one) => one !== undefined,
  )
  expect(there.length).toBeLessThan(80)
  kept.set('a', 'large', 1, 10_000)
  expect([kept.get('a', 'large'), kept.get('a', 'k999')]).toEqual([undefined, 999])
})

test('a value set again counts once, and one that is too large takes the place of none', () => {
  const kept = fairlyKept<number>(40_000)
  kept.set('a', 'other', 0, 4_000)
  for (let number = 0; number < 100; number += 1) kept.set('a', 'one', number, 4_000)
  expect([kept.get('a', 'other'), kept.get('a', 'one')]).toEqual([0, 99])
  kept.set('a', 'one', 100, 50_000)
  expect(kept.get('a', 'one')).toBeUndefined()
})
