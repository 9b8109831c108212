import { expect, test } from 'vitest'

import { backoffAfter } from './backoff.ts'

const bounds = { first: 100, longest: 1_000 }

test('The wait doubles with each failure, up to the longest.', () => {
  expect([0, 1, 2, 3, 4, 5, 10_000].map((failures) => backoffAfter(failures, bounds))).toEqual([
    100, 100, 200, 400, 800, 1_000, 1_000,
  ])
})

test('A spread wait differs from the plain one by at most a quarter.', () => {
  const waits = Array.from({ length: 100 }, () => backoffAfter(2, { ...bounds, isSpread: true }))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(150)
  expect(Math.max(...waits)).toBeLessThanOrEqual(250)
  expect(new Set(waits).size).toBeGreaterThan(1)
})
