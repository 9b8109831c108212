import fc from 'fast-check'
import { expect, test } from 'vitest'

import { compareKeys, fillPage, listBounds, sortedKeys } from './sorted-keys.ts'

const letter = fc.constantFrom('a', 'b', '\0', '\ud7ff', '\ue000', '\uffff', '🌾', '\u{10ffff}')
const key = fc.array(letter, { maxLength: 4 }).map((letters) => letters.join(''))
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

test('keys are in the order of their bytes in UTF-8', () => {
  fc.assert(
    fc.property(key, key, (one, other) => Math.sign(compareKeys(one, other)) === byBytes(one, other)),
    { numRuns: 2_000 },
  )
})

test('a page has the next keys that begin so, whatever was added and deleted, forth and back, after any key', () => {
  const step = fc.record({ key, goes: fc.boolean() })
  const options = fc.record({
    limit: fc.integer({ min: 1, max: 5 }),
    after: fc.option(key, { nil: undefined }),
    isReverse: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), key, options, (steps, prefix, part) => {
      const [sorted, all] = [sortedKeys(), new Set<string>()]
      for (const { key, goes } of steps) {
        if (goes) sorted.delete(key)
        else sorted.add(key)
        if (goes) all.delete(key)
        else all.add(key)
      }
      const { after } = part
      const sign = part.isReverse ? -1 : 1
      const wanted = [...all]
        .filter((one) => one.startsWith(prefix) && (after === undefined || byBytes(one, after) * sign > 0))
        .toSorted((one, other) => byBytes(one, other) * sign)
      expect(sorted.page(prefix, part)).toEqual(wanted.slice(0, part.limit))
    }),
    { numRuns: 1_000 },
  )
})

test('the bounds of a list hold exactly what begins so', () => {
  fc.assert(
    fc.property(key, key, (prefix, one) => {
      const { from, to } = listBounds(prefix, { limit: 1 })
      const isWithin = byBytes(from, one) <= 0 && (to === undefined || byBytes(one, to) < 0)
      expect(isWithin).toBe(one.startsWith(prefix))
    }),
    { numRuns: 1_000 },
  )
})

test('a page is read on until it is full, and not when there are no more keys', async () => {
  const asked: unknown[] = []
  const entries = await fillPage({ limit: 3 }, ({ limit, after = '0' }) => {
    asked.push([limit, after])
    const keys = Array.from({ length: limit }, (_, place) => String(Number(after) + place + 1)).filter(
      (key) => Number(key) < 8,
    )
    return { keys, entries: keys.filter((key) => Number(key) % 3 === 0).map((key) => ({ key, value: key })) }
  })
  expect(entries.map((entry) => entry.key)).toEqual(['3', '6'])
  expect(asked).toEqual([
    [3, '0'],
    [2, '3'],
    [2, '5'],
    [1, '7'],
  ])
})
