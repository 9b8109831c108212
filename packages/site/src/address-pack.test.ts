import fc from 'fast-check'
import { expect, test } from 'vitest'

import { addressPack, unpackUrls } from './address-pack.ts'
import type { FoundUrl } from './found-address.ts'

const host = fc.oneof(fc.constantFrom('a.example', 'b.example', ''), fc.string({ unit: 'binary' }))
const depth = fc.nat({ max: 2 ** 31 })
const address: fc.Arbitrary<FoundUrl> = fc.tuple(
  fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })),
  host,
  depth,
  fc.constantFrom(0, 1),
)

test('addresses come out as they went in, however often a pack is used again', () => {
  const pack = addressPack()
  fc.assert(
    fc.property(fc.array(address, { maxLength: 50 }), (addresses) => {
      for (const [at, found] of addresses.entries()) pack.add(at + 7, found)
      expect(pack.count).toBe(addresses.length)
      expect(unpackUrls(pack.bytes())).toEqual(
        addresses.map(([url, host, depth, isExternal], at) => ({
          number: at + 7,
          url,
          host,
          depth,
          isExternal: isExternal === 1,
        })),
      )
      pack.empty()
    }),
  )
})

test('a pack grows with what is put in', () => {
  const pack = addressPack()
  const url = `https://example.com/${'é'.repeat(1000)}`
  for (let number = 0; number < 500; number += 1) pack.add(number, [url, 'example.com', 1, 0])
  const all = unpackUrls(pack.bytes())
  expect([all.length, all[0]?.url, all[499]?.number, new Set(all.map(({ url }) => url)).size]).toEqual([
    500,
    url,
    499,
    1,
  ])
})
