import { expect, test } from 'vitest'

import { packParcel, unpackParcel } from './parcel.ts'

test('a parcel comes back as it went in, also out of the middle of other bytes', () => {
  const bytes = packParcel({ of: 'é' }, [new Uint8Array([1]), new Uint8Array([255, 0])])
  const inside = new Uint8Array([9, 9, ...bytes]).subarray(2)
  for (const packed of [bytes, inside]) {
    const { head, body } = unpackParcel(packed)
    expect(head).toEqual({ of: 'é' })
    expect([...body]).toEqual([1, 255, 0])
  }
})

test.each([
  ['a head that is no JSON', (bytes: Uint8Array) => bytes.with(5, 0)],
  ['a length beyond its end', (bytes: Uint8Array) => bytes.with(0, 255)],
  ['nothing but a beginning', (bytes: Uint8Array) => bytes.subarray(0, 2)],
])('a parcel with %s is told to be damaged', (_, damage) => {
  const bytes = new Uint8Array(packParcel({ a: 1 }, [new Uint8Array([1, 2, 3])]))
  expect(() => unpackParcel(damage(bytes))).toThrow(expect.objectContaining({ code: 'store_failed' }))
})
