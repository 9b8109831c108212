import { expect, test } from 'vitest'

import { pixelsForPeople } from './colors.ts'

const white = [255, 255, 255, 255]

test('a page with one colored pixel is in red, green and blue', () => {
  const { pixels, channels } = pixelsForPeople(Uint8Array.of(...white, 32, 64, 128, 255), 2, 1)
  expect([channels, ...pixels]).toEqual([3, 255, 255, 255, 32, 64, 128])
})

test('a page without colors has one byte for each pixel, and a little noise is white', () => {
  const { pixels, channels } = pixelsForPeople(Uint8Array.of(...white, 250, 248, 252, 255, 5, 6, 7, 255), 3, 1)
  expect([channels, ...pixels]).toEqual([1, 255, 255, 0])
})
