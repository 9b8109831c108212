import { expect, test } from 'vitest'

import { blurToDrawable, cutToDrawable, isDrawable } from './drawable.ts'

test.each([
  [{ width: 1_280, height: 800, ratio: 1 }, true],
  [{ width: 8_000, height: 8_000, ratio: 1 }, true],
  [{ width: 8_000, height: 8_001, ratio: 1 }, false],
  [{ width: 16_385, height: 1, ratio: 1 }, false],
  [{ width: 1, height: 8_200, ratio: 2 }, false],
  [{ width: 4_000, height: 4_000, ratio: 2 }, true],
  [{ width: 4_000, height: 4_001, ratio: 2 }, false],
  [{ width: Number.NaN, height: 10, ratio: 1 }, false],
  [{ width: 10, height: 10, ratio: Infinity }, false],
])('the pixels of the device count, by their side and in all: %j', (drawing, isSo) => {
  expect(isDrawable(drawing)).toBe(isSo)
})

test.each([
  { width: 20_000, height: 20_000, ratio: 1 },
  { width: 1_280, height: 1e9, ratio: 1 },
  { width: 412, height: 100_000, ratio: 2.625 },
  { width: 7_680, height: 4_320, ratio: 2.625 },
])('what is too large is cut, or drawn less sharp, until it can be drawn: %j', (drawing) => {
  expect(isDrawable(drawing)).toBe(false)
  expect(isDrawable(cutToDrawable(drawing))).toBe(true)
  const blurred = blurToDrawable(drawing)
  expect(isDrawable({ ...blurred, ratio: blurred.ratio * 0.999 })).toBe(true)
  expect(blurred.ratio).toBeLessThan(drawing.ratio)
})
