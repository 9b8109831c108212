import { expect, test } from 'vitest'

import { numberBytes, numbersIn } from './number-bytes.ts'

test('numbers of 32 bits are read as they were written, at any offset', () => {
  const numbers = [0, 1, 0xffff_ffff, 7]
  const bytes = numberBytes(numbers)
  for (const offset of [0, 1, 2, 3]) {
    const shifted = new Uint8Array(bytes.length + offset)
    shifted.set(bytes, offset)
    expect([...numbersIn(shifted.subarray(offset))]).toEqual(numbers)
  }
  expect([...numbersIn(numberBytes([]))]).toEqual([])
})
