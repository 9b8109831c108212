import fc from 'fast-check'
import { expect, test } from 'vitest'

import { exceededBound, makeScanner } from './json-scanner.ts'

const encoder = new TextEncoder()

/** What the scanner finds passed, given in pieces of this size. */
function passed(
  text: string,
  bounds: { entries?: number; keys?: number; depth?: number; text?: number; properties?: ReadonlyMap<string, number> },
  size = Infinity,
) {
  const scanner = makeScanner({ entries: Infinity, keys: Infinity, depth: Infinity, text: Infinity, ...bounds })
  const bytes = encoder.encode(text)
  for (let start = 0; start < bytes.length; start += size) {
    const found = scanner.push(bytes.subarray(start, start + size))
    if (found) return found
  }
  return undefined
}

/** The same counts, from the values. */
function measure(value: unknown): { entries: number; keys: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { entries: 0, keys: 0, depth: 0 }
  const inner = Object.values(value).map(measure)
  const own = Object.keys(value).length
  return {
    // What opens counts for the first entry, whether there is one or not.
    entries: Math.max(own, 1) + inner.reduce((sum, { entries }) => sum + entries, 0),
    keys: (Array.isArray(value) ? 0 : own) + inner.reduce((sum, { keys }) => sum + keys, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  }
}

test('the bytes are counted as the values would be, wherever they are cut', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 20 }), (text, size) => {
      const { entries, keys, depth } = measure(JSON.parse(text))
      expect(passed(text, { entries, keys, depth }, size)).toBeUndefined()
      if (entries > 0) expect(passed(text, { entries: entries - 1 }, size)).toBe('entries')
      if (keys > 0) expect(passed(text, { keys: keys - 1 }, size)).toBe('keys')
      if (depth > 0) expect(passed(text, { depth: depth - 1 }, size)).toBe('depth')
    }),
  )
})

test('what stands in a text counts for nothing', () => {
  expect(passed(JSON.stringify({ url: '{[,:"\\' }), { entries: 1, keys: 1, depth: 1 })).toBeUndefined()
})

test('a text or a key is as long as it is written, wherever it is cut', () => {
  for (const size of [1, 3, Infinity]) {
    expect(passed('{"ab\\"":"abcd"}', { text: 4 }, size)).toBeUndefined()
    expect(passed('{"ab\\"":"abcd"}', { text: 3 }, size)).toBe('text')
    expect(passed('["a","abcde"]', { text: 4 }, size)).toBe('text')
  }
})

test('a property of the outermost object has its own limit, wherever it is cut', () => {
  const properties = new Map([['file', 6]])
  for (const size of [1, 3, Infinity]) {
    const limited = (text: string) => passed(text, { text: 4, properties }, size)
    expect(limited('{"url":"abcd","file":"abcdef","fil":"abcd"}')).toBeUndefined()
    expect(limited('{"file":"abcdefg"}')).toEqual({ property: 'file' })
    for (const text of [
      '{"url":"abcde"}',
      '{"files":"a"}',
      '{"a":{"file":"abcde"}}',
      '{"file":["abcde"]}',
      '["file","abcde"]',
    ])
      expect([text, limited(text)]).toEqual([text, 'text'])
    expect(limited('{"file":"a","url":"abcde"}')).toBe('text')
    expect(limited('{"a":{},"file":"abcdef"}')).toBeUndefined()
  }
})

test('reading ends at the first bound that is passed', () => {
  expect(passed(`${'['.repeat(6)}${'"'.repeat(1e6)}`, { depth: 5 })).toBe('depth')
})

test('the limits of a long string are counted over all of its slices', () => {
  const text = `[${'1,'.repeat(1_500_000)}1]`
  const limits = { entries: 1_500_001, keys: 0, depth: 1, text: 0 }
  expect(exceededBound(text, limits)).toBeUndefined()
  expect(exceededBound(text, { ...limits, entries: 1_500_000 })).toBe('entries')
})
