import { describe, expect, test } from 'vitest'

import { documentTally } from './document-bound.ts'
import { encodedJson, encodeJson } from '@harvestman/ports/values'

function bytesOf(value: unknown): number {
  const tally = documentTally()
  tally.add(value)
  return tally.bytes
}

function refusal(most: { bytes?: number; values?: number }, value: unknown): unknown {
  try {
    documentTally({ bytes: 1e9, values: 1e9, ...most }).add(value)
    return 'fits'
  } catch (error) {
    return error
  }
}

test.each([
  ['plain text', 'words of a page'],
  ['what JSON escapes', '"quoted" \\ \n\t\u0001\u001f'],
  ['other scripts', 'é ü ñ 漢字 हिन्दी'],
  ['pairs and halves of pairs', '😀 \ud800 \udc00x'],
  ['lists and objects', { a: [1, -2.5, null, true], 'k"': { b: 'x', c: [] }, d: undefined }],
])('the bytes of %s are those of its JSON text and a comma', (_, value) => {
  const printed = Buffer.byteLength(JSON.stringify(value))
  expect(bytesOf(value)).toBeGreaterThanOrEqual(printed)
  expect(bytesOf(value)).toBeLessThanOrEqual(printed + 10)
})

test.each([
  ['letters', 'word '],
  ['what JSON escapes', 'a "b"\n\\\u0001'],
  ['characters of two, three and four bytes', 'word word word é漢x😀'],
  ['other scripts', 'é漢x😀'],
  ['halves of pairs', 'word word word x\ud800y\udc00'],
])('long strings of %s have exactly the bytes of their JSON and a comma', (_, unit) => {
  // Around 65,536 bytes, characters lie on the border between two chunks.
  for (const text of ['', 'x', 'xy', 'xyz'].map((start) => start + unit.repeat(30_000)))
    expect(bytesOf(text)).toBe(Buffer.byteLength(JSON.stringify(text)) + 1)
})

test('what is text already is not read to be counted', () => {
  const encoded = encodedJson(encodeJson(['x'.repeat(100)])!)
  expect(bytesOf(encoded)).toBe(encoded.json.byteLength)
})

describe('more than a document may hold is refused, and the setting is named', () => {
  test.each([
    ['a long text', 'x'.repeat(101)],
    ['many short texts', Array.from({ length: 40 }, () => 'x')],
    ['long keys', { ['k'.repeat(101)]: 1 }],
    ['a text that is long once it is printed', '\u0001'.repeat(20)],
  ])('as bytes: %s', (_, value) => {
    expect(refusal({ bytes: 100 }, value)).toMatchObject({
      code: 'page_too_complex',
      message: expect.stringContaining('limits.documentBytes'),
      details: { of: 'bytes', limit: 100 },
    })
  })

  test('as values', () => {
    expect(refusal({ values: 100 }, Array.from({ length: 100 }))).toBe('fits')
    expect(
      refusal(
        { values: 100 },
        Array.from({ length: 100 }, () => 0),
      ),
    ).toMatchObject({
      message: expect.stringContaining('limits.documentValues'),
    })
  })

  test('as depth, also of an object that holds itself', () => {
    const around: { self?: unknown } = {}
    around.self = around
    expect(refusal({}, around)).toMatchObject({ details: { of: 'depth' } })
    expect(refusal({}, JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toMatchObject({
      details: { of: 'depth' },
    })
  })
})

test('what is added one after the other is counted together', () => {
  const tally = documentTally({ bytes: 100, values: 10 })
  tally.add('x'.repeat(60))
  expect(() => tally.add('x'.repeat(60))).toThrow('more than the limit of 100 bytes')
})

test('what fits is what may be counted', () => {
  const tally = documentTally({ bytes: 10, values: 2 })
  tally.spend(4, 1)
  expect([tally.fits(6, 1), tally.fits(7), tally.fits(1, 2)]).toEqual([true, false, false])
  expect(tally.bytes).toBe(4)
})
