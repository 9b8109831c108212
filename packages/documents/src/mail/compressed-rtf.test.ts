import { expect, test } from 'vitest'

import { decompressRtf } from './compressed-rtf.ts'

// The example of [MS-OXRTFCP].
const example = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
)
const text = '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n'

test('the RTF of a mail is decompressed', () => {
  expect(Buffer.from(decompressRtf(example, 1_000)).toString('latin1')).toBe(text)
})

test('decompressing ends at the limit, and at the end of a file that is cut off', () => {
  expect(decompressRtf(example, 20).length).toBeLessThanOrEqual(40)
  for (let length = 16; length < example.length; length += 1)
    expect(text.startsWith(Buffer.from(decompressRtf(example.subarray(0, length), 1_000)).toString('latin1'))).toBe(
      true,
    )
})

test('other bytes are refused', () => {
  expect(() => decompressRtf(Buffer.alloc(100), 1_000)).toThrow('its text is compressed in an unknown way')
})
