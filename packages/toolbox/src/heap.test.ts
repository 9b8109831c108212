import fc from 'fast-check'
import { expect, test } from 'vitest'

import { heap } from './heap.ts'

test('always gives the smallest of what is in it', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer()), { maxLength: 300 }), (steps) => {
      const numbers = heap<number>((one, other) => one < other)
      const model: number[] = []
      for (const step of steps) {
        if (step === null) {
          expect(numbers.peek()).toBe(model[0])
          expect(numbers.pop()).toBe(model.shift())
        } else {
          numbers.push(step)
          model.push(step)
          model.sort((one, other) => one - other)
        }
        expect(numbers.size).toBe(model.length)
      }
    }),
  )
})
