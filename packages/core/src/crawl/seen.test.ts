import fc from 'fast-check'
import { expect, test } from 'vitest'

import { makeSeen } from './seen.ts'

const page = (number: number) => `https://example.com/section/${number % 97}/page/${number}`

test('knows exactly the addresses that were added, as a set of texts does', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.webUrl({ withQueryParameters: true })), { maxLength: 300 })
  fc.assert(
    fc.property(steps, (steps) => {
      const seen = makeSeen()
      const model = new Set<string>()
      for (const [isAdd, url] of steps) {
        if (!isAdd) expect(seen.has(url)).toBe(model.has(url))
        else {
          expect(seen.add(url)).toBe(!model.has(url))
          model.add(url)
        }
        expect(seen.size).toBe(model.size)
      }
    }),
  )
})

test('tells 300,000 addresses apart, and holds less than 25 bytes for each', () => {
  const seen = makeSeen()
  for (let number = 0; number < 300_000; number += 1) if (!seen.add(page(number))) expect.unreachable(page(number))
  for (let number = 0; number < 300_000; number += 1) if (seen.add(page(number))) expect.unreachable(page(number))
  expect(seen.has(page(300_000))).toBe(false)
  expect(seen.size).toBe(300_000)
  expect(seen.bytes / seen.size).toBeLessThan(25)
})

test('goes on where it stopped after its parts were loaded in another order, one of them twice', () => {
  const seen = makeSeen()
  for (let number = 0; number < 5000; number += 1) seen.add(page(number))
  const parts = [...seen.export()].reverse()
  const resumed = makeSeen()
  for (const part of [...parts, ...parts.slice(0, 1)]) resumed.load(part)
  expect(resumed.size).toBe(5000)
  for (let number = 0; number < 5000; number += 1) if (!resumed.has(page(number))) expect.unreachable(page(number))
  expect(resumed.has(page(5000))).toBe(false)
  expect(parts.reduce((sum, part) => sum + part.byteLength, 0)).toBe(5000 * 8)
})
