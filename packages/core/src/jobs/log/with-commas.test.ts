import { expect, test } from 'vitest'

import { withCommas } from './with-commas.ts'

const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString()

test('documents of one segment are given with the commas that stand between them, as one run of bytes', () => {
  const body = Buffer.from('{"n":1},{"n":2}')
  const pieces = withCommas([body.subarray(0, 7), body.subarray(8)])
  expect(textOf(pieces)).toBe('{"n":1},{"n":2}')
  expect(pieces.map(({ buffer, byteOffset }) => [buffer, byteOffset - body.byteOffset])).toEqual([
    [body.buffer, 0],
    [body.buffer, 7],
    [body.buffer, 8],
  ])
})

test('documents of two segments that are one byte apart in a pool of buffers have a comma between them all the same', () => {
  const pool = Buffer.from('{"n":1}\0{"n":2}')
  expect(textOf(withCommas([pool.subarray(0, 7), pool.subarray(8)]))).toBe('{"n":1},{"n":2}')
})
