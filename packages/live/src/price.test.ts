import { expect, test } from 'vitest'

import { sessionPrice } from './price.ts'

test('a live browser is paid for by the started credit of its time, and a minute at least', () => {
  expect([1, 60_000, 75_000, 90_001, 600_000].map((ms) => sessionPrice(ms, false))).toEqual([2, 2, 3, 4, 20])
  expect([1, 61_000, 600_000].map((ms) => sessionPrice(ms, true))).toEqual([7, 8, 70])
})
