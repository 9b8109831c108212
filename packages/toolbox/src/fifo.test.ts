import fc from 'fast-check'
import { expect, test } from 'vitest'

import { fifo } from './fifo.ts'

test('gives items in the order they came, whatever the mix of adding and taking', { tags: ['long'] }, () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 5000, size: 'max' }), (adds) => {
      const list = fifo<number>()
      const model: number[] = []
      for (const [index, isAdd] of adds.entries()) {
        if (isAdd) {
          list.push(index)
          model.push(index)
        } else expect(list.shift()).toBe(model.shift())
        expect(list.size).toBe(model.length)
      }
    }),
    { numRuns: 50 },
  )
})

test('keeps its order when the empty front is cut off', () => {
  const list = fifo<number>()
  for (let number = 0; number < 10_000; number += 1) list.push(number)
  for (let number = 0; number < 9000; number += 1) expect(list.shift()).toBe(number)
  list.push(10_000)
  for (let number = 9000; number <= 10_000; number += 1) expect(list.shift()).toBe(number)
  expect(list.shift()).toBeUndefined()
  expect(list.size).toBe(0)
})
