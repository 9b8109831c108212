import { expect, test } from 'vitest'

import { spareKeys } from './spare-keys.ts'

test('what was written first goes first, and as many as are too much', () => {
  const spares = spareKeys(100)
  for (const key of ['a', 'b', 'c']) spares.keep(key, 40)
  expect(spares.excess()).toEqual([{ key: 'a', bytes: 40 }])
  spares.keep('d', 100)
  expect(spares.excess().map(({ key }) => key)).toEqual(['b', 'c'])
  expect(spares.excess()).toEqual([])
})

test('one that was forgotten takes no room, is not given again, and is forgotten once', () => {
  const spares = spareKeys(100)
  const first = spares.keep('a', 90)
  spares.forget(first)
  spares.forget(first)
  const second = spares.keep('b', 90)
  expect(spares.excess()).toEqual([])
  spares.keep('c', 90)
  expect(spares.excess()).toEqual([{ key: 'b', bytes: 90 }])
  spares.forget(second)
  expect(spares.excess()).toEqual([])
})

test(
  'a key that is written a hundred thousand times among others leaves their order as it is',
  { tags: ['long'] },
  () => {
    const spares = spareKeys(3_000)
    const others = ['a', 'b'].map((key) => spares.keep(key, 1_000))
    let last = spares.keep('often', 1_000)
    for (let count = 0; count < 100_000; count += 1) {
      spares.forget(last)
      last = spares.keep('often', 1_000)
      expect(spares.excess()).toEqual([])
    }
    spares.forget(others[0]!)
    spares.keep('c', 2_000)
    expect(spares.excess()).toEqual([{ key: 'b', bytes: 1_000 }])
  },
)
