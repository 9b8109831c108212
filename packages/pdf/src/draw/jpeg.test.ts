import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { readJpeg } from './jpeg.ts'

const photo = readFileSync(new URL('../../test/fixtures/originals/photo.jpg', import.meta.url))

/** The photo with a segment of EXIF that has these values after its head. */
function withExif(values: string): Buffer {
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.from(values, 'hex')])
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return Buffer.concat([photo.subarray(0, 2), head, exif, photo.subarray(2)])
}

test('a JPEG has its size and its number of components', () => {
  expect(readJpeg(photo)).toEqual({ width: 240, height: 160, components: 3, orientation: 1 })
})

test.each([
  ['little', '49492a000800000001001201030001000000060000000000', 6],
  ['big', '4d4d002a00000008000101120003000000010003000000000000', 3],
  ['a broken directory in', '4d4d002affffffff000101120003000000010003000000000000', 1],
])('the EXIF orientation is read in %s-endian files', (_, values, orientation) => {
  expect(readJpeg(withExif(values))?.orientation).toBe(orientation)
})

test('files without an end, and other bytes, are not read', () => {
  expect(readJpeg(photo.subarray(0, -2))).toBeUndefined()
  expect(readJpeg(Buffer.from('ffd8ffd9', 'hex'))).toBeUndefined()
  expect(readJpeg(Buffer.alloc(0))).toBeUndefined()
})

test('every beginning of a file is read to its end', () => {
  for (let length = 0; length < photo.length; length += 1)
    readJpeg(Buffer.concat([photo.subarray(0, length), Buffer.from('ffd9', 'hex')]))
  expect(
    readJpeg(Buffer.concat([photo.subarray(0, 30), Buffer.alloc(200_000, 0xff), Buffer.from('ffd9', 'hex')])),
  ).toBeUndefined()
})
