import { expect, test } from 'vitest'

import { hasLook, lookOfImage } from './look.ts'

const [width, height] = [120, 90]
const size = { width: 60, height: 45 }
/** The place of the image on a page of twice its size. */
const share = [0.25, 0.25, 0.75, 0.75] as const

function colorAt(x: number, y: number): readonly number[] {
  return [x * 2, y * 2, (x * 7 + y * 13) % 2 === 0 ? 40 : 60]
}

/** Returns a white page with an image, over which pixels are painted black. */
function pageWith(isBlack: (x: number, y: number) => boolean, moved = 0) {
  const rgba = new Uint8Array(width * height * 16).fill(255)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rgba.set(isBlack(x, y) ? [0, 0, 0] : colorAt(x, y), ((y + height / 2) * width * 2 + x + moved + width / 2) * 4)
  return { rgba, width: width * 2, height: height * 2 }
}

function lookOf(channels: 1 | 3) {
  const pixels = Uint8Array.from({ length: width * height * channels }, (_, at) => {
    const place = Math.floor(at / channels)
    return colorAt(place % width, Math.floor(place / width))[at % channels]!
  })
  return lookOfImage({ pixels, channels, width, height }, size)
}

test('a page that shows an image has its look, also if it is drawn a pixel beside its place', () => {
  expect(
    hasLook(
      pageWith(() => false),
      share,
      lookOf(3),
    ),
  ).toBe(true)
  expect(
    hasLook(
      pageWith(() => false, 1),
      share,
      lookOf(3),
    ),
  ).toBe(true)
})

test.each([
  ['a line of two points over it', (_x: number, y: number) => y >= 60 && y < 64],
  ['a spot of three points over it', (x: number, y: number) => x >= 96 && x < 102 && y >= 57 && y < 63],
  ['another picture at its place', () => true],
])('a page with %s does not have the look of an image', (_, isBlack) => {
  expect(hasLook(pageWith(isBlack), share, lookOf(3))).toBe(false)
})

test('a page in color does not have the look of an image in gray', () => {
  expect(
    hasLook(
      pageWith(() => false),
      share,
      lookOf(1),
    ),
  ).toBe(false)
})

test('an image of one pixel has no look that a page can have', () => {
  const look = lookOfImage({ pixels: new Uint8Array(1), channels: 1, width: 1, height: 1 }, size)
  expect(hasLook({ rgba: new Uint8Array(4), width: 1, height: 1 }, [0, 0, 1, 1], look)).toBe(false)
})
