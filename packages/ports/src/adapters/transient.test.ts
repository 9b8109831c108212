import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { TransientMap, TransientSet } from './transient.ts'

test('whatever comes and goes, it has what a map has, in the same order', () => {
  const expected = new Map<number, number>()
  const map = new TransientMap<number, number>()
  let seed = 1
  const next = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
  for (let step = 0; step < 20_000; step += 1) {
    const key = next(step % 2_000 < 1_000 ? 300 : 10)
    if (next(2) === 0) {
      expected.set(key, step)
      map.set(key, step)
    } else expect(map.delete(key)).toBe(expected.delete(key))
    if (next(5_000) === 0) {
      expected.clear()
      map.clear()
    }
    expect([map.size, map.has(key), map.get(key)]).toEqual([expected.size, expected.has(key), expected.get(key)])
    if (step % 100 === 0) expect([...map]).toEqual([...expected])
  }
  expect([[...map.keys()], [...map.values()]]).toEqual([[...expected.keys()], [...expected.values()]])
})

test('members may be taken out of a set while it is gone through', () => {
  const set = new TransientSet<number>()
  for (let number = 0; number < 100; number += 1) set.add(number)
  const met: number[] = []
  for (const number of set) {
    met.push(number)
    set.delete(number)
    set.delete(number + 1)
  }
  expect(met).toEqual(Array.from({ length: 50 }, (_, index) => index * 2))
  expect(set.size).toBe(0)
})

test('what has gone does not wait for a full collection, also when one has met the set in use', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const oldSpace = (): number =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? Number.NaN
  const set = new TransientSet<object>()
  let before: object = {}
  set.add(before)
  collect()
  const start = oldSpace()
  let most = 0
  for (let count = 0; count < 200_000; count += 1) {
    const one = Array.from({ length: 100 }).fill(count)
    set.add(one)
    set.delete(before)
    before = one
    if (count % 10_000 === 0) most = Math.max(most, oldSpace() - start)
  }
  // A set of the language has at least 20 MB of them.
  expect(most).toBeLessThan(10_000_000)
})
