import { expect, test } from 'vitest'

import { retryAfter } from './retry-after.ts'

const noon = Date.UTC(2026, 0, 1, 12)

test('Retry-After is read as seconds or as a date of HTTP, and as nothing else', () => {
  expect(
    ['1.5', ' 3 ', '', '2026-12-01', 'Thu, 01 Jan 2026 12:00:04 GMT'].map((text) => retryAfter(text, noon)),
  ).toEqual([1500, 3000, undefined, undefined, 4000])
})
