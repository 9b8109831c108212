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

test('tells 300,000 addresses apart, and holds less than 17 bytes for each', { tags: ['long'] }, () => {
  const seen = makeSeen()
  for (let number = 0; number < 300_000; number += 1) if (!seen.add(page(number))) expect.unreachable(page(number))
  for (let number = 0; number < 300_000; number += 1) if (seen.add(page(number))) expect.unreachable(page(number))
  expect(seen.has(page(300_000))).toBe(false)
  expect(seen.size).toBe(300_000)
  expect(seen.bytes / seen.size).toBeLessThan(17)
})
