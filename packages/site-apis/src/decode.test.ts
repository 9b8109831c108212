import { expect, test } from 'vitest'

import { decodeBody } from './decode.ts'

test.each([
  ['application/json', [0xc3, 0xa9], 'é'],
  [undefined, [0xc3, 0xa9], 'é'],
  ['text/html; charset=ISO-8859-1', [0xe9], 'é'],
  ['text/html;charset="Shift_JIS"; a=b', [0x93, 0xfa], '日'],
  ['application/json; charset=utf-16le', [0xe9, 0], 'é'],
  ['application/json; charset=lamps', [0x41], undefined],
  ['application/json; charset=""', [0x41], undefined],
])('a response with the type %s is decoded by its charset', (type, bytes, text) => {
  expect(decodeBody(Uint8Array.from(bytes), type)).toBe(text)
})
