import { expect, test } from 'vitest'

import { readPng } from '../../test/read-png.ts'
import { encodePng, type Pixels } from './png.ts'

const [width, height] = [90, 70]

function pictureOf(channels: 1 | 3, colorAt: (x: number, y: number) => number): Pixels {
  const pixels = new Uint8Array(width * height * channels)
  for (let at = 0; at < pixels.length; at += 1) {
    const place = Math.floor(at / channels)
    pixels[at] = colorAt(place % width, Math.floor(place / width)) + (at % channels) * 50
  }
  return { pixels, channels, width, height }
}

const photo = (x: number, y: number): number => x * 1.7 + y * 2.3 + ((x * 7919 + y * 104_729) % 5)
const drawing = (x: number, y: number): number => ((x * 31 + (y >> 4) * 17) % 7 > 3 ? 255 : 0)

test.each([
  ['a photo', photo],
  ['a drawing', drawing],
])('%s in gray and in color is encoded without changes at each level', (_, colorAt) => {
  for (const channels of [1, 3] as const)
    for (const level of [1, 6]) {
      const picture = pictureOf(channels, colorAt)
      expect(readPng(Buffer.from(encodePng(picture, level)))).toEqual({
        ...picture,
        pixels: Buffer.from(picture.pixels),
      })
    }
})

test('a photo that is stored is filtered, which makes it smaller, and a drawing is not', () => {
  const filtered = encodePng(pictureOf(3, photo), 6)
  // The fastest level is never filtered.
  expect(filtered.byteLength).toBeLessThan(encodePng(pictureOf(3, photo), 1).byteLength * 0.7)
  expect(encodePng(pictureOf(3, drawing), 6).byteLength).toBeLessThan(1_000)
})

test('a picture of one pixel is encoded', () => {
  const pixels = Uint8Array.of(1, 2, 3)
  const png = encodePng({ pixels, channels: 3, width: 1, height: 1 }, 6)
  expect(readPng(Buffer.from(png))).toEqual({ width: 1, height: 1, channels: 3, pixels: Buffer.from(pixels) })
})

test('a picture with no more rows than a sample is filtered if that makes it smaller', () => {
  const { pixels, ...picture } = pictureOf(3, photo)
  const low = { ...picture, height: 16, pixels: pixels.subarray(0, width * 16 * 3) }
  const png = encodePng(low, 6)
  expect(readPng(Buffer.from(png)).pixels).toEqual(Buffer.from(low.pixels))
  expect(png.byteLength).toBeLessThan(encodePng(low, 1).byteLength * 0.8)
})
