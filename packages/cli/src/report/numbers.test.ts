import { expect, test } from 'vitest'

import { bytes, time } from './numbers.ts'

test.each([
  [949, '949 ms'],
  [950, '0.9 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [119_499, '1 min 59 s'],
  [119_700, '2 min 0 s'],
])('%i ms are shown in the unit of the rounded duration', (ms, text) => {
  expect(time(ms)).toBe(text)
})

test.each([
  [999, '999 B'],
  [1_000, '1 KB'],
  [999_499, '999 KB'],
  [999_600, '1.0 MB'],
])('%i bytes are shown in the unit of the rounded size', (size, text) => {
  expect(bytes(size)).toBe(text)
})
