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
