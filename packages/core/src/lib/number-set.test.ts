import fc from 'fast-check'
import { expect, test } from 'vitest'

import { numberSet } from './number-set.ts'

test('knows exactly the numbers that were added and not deleted, as a set does', { tags: ['long'] }, () => {
  const step = fc.tuple(fc.boolean(), fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 5000 })))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const numbers = numberSet()
      const model = new Set<number>()
      for (const [isAdd, number] of steps) {
        if (isAdd) {
          numbers.add(number)
          model.add(number)
        } else expect(numbers.delete(number)).toBe(model.delete(number))
      }
      for (let number = 0; number <= 5000; number += 1) expect(numbers.delete(number)).toBe(model.has(number))
    }),
  )
})
