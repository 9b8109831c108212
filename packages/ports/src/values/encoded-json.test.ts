import { expect, test } from 'vitest'

import { encodedJson, encodeJson, type EncodedJson } from './encoded-json.ts'
import { jsonPieces, ownBytes } from '@harvestman/ports/values'

function asEncoded(value: unknown): EncodedJson {
  return encodedJson(encodeJson(value) ?? ownBytes(new Uint8Array()))
}

test.each([
  ['nothing', {}],
  ['plain values alone', { a: 1, b: 'é "quoted"', c: [undefined], d: undefined, e: null }],
  ['an encoded value alone', { a: asEncoded('é "quoted" \u2028 \ud800') }],
  ['encoded values first, between and last', { a: asEncoded(['x']), b: 2, 'c"': asEncoded('y'), d: asEncoded(null) }],
  ['what JSON leaves out before an encoded value', { a: undefined, b: asEncoded(1), c: () => 1 }],
])('an object with %s gives the same bytes as JSON.stringify', async (_, object) => {
  expect(Buffer.concat(await jsonPieces(object)).toString()).toBe(JSON.stringify(object))
})

test('what JSON leaves out is not encoded', () => {
  expect(encodeJson(undefined)).toBeUndefined()
})
