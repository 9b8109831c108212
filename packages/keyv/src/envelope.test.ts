import fc from 'fast-check'
import { expect, test } from 'vitest'

import { seal, unseal } from './envelope.ts'

const packed = fc.oneof(fc.json(), fc.uint8Array())
const expires = fc.oneof(fc.constant(Infinity), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))

test('what is sealed comes out as it was, whichever way bytes are kept', () => {
  fc.assert(
    fc.property(packed, expires, fc.boolean(), (packed, expires, rawBytes) => {
      const opened = unseal('key', seal({ packed, expires }, rawBytes))
      expect(opened.packed).toEqual(packed)
      // -0 is kept as 0.
      expect(opened.expires + 0).toBe(expires + 0)
    }),
  )
})

test('without raw bytes everything is text', () => {
  expect(seal({ packed: new Uint8Array([255]), expires: 5 }, false)).toBe('b5;/w==')
})
