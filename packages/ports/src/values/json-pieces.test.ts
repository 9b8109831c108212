import { expect, test } from 'vitest'

import { encodedJson, encodeJson } from './encoded-json.ts'
import { jsonOnce, jsonPieces } from './json-pieces.ts'

const long = 'Words, "quoted", é 漢 😀\n'.repeat(20_000)
const many = Array.from({ length: 30_000 }, (_, index) => `text ${index}`)

const nothing = { toJSON: () => undefined }

const large: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a long text', { a: long }],
  ['a text of pairs, cut anywhere', { a: `x${'😀'.repeat(200_000)}` }],
  ['halves of pairs', { a: '\ud800'.repeat(100_000), b: '\udc00'.repeat(100_000) }],
  ['long lists', { a: many, b: [[many]], c: [] }],
  ['lists with nothing in some places', { a: [...many, undefined, () => 1, [undefined, long]] }],
  ['objects within objects', { a: { b: { c: long, d: undefined, e: () => 1 }, f: {} }, ['k"\u0001']: long }],
  ['a key named __proto__', JSON.parse(`{"a":${JSON.stringify(long)},"__proto__":1}`) as Record<string, unknown>],
  ['values with a text of their own', { a: [new Date(0), long], b: { toJSON: () => many, long } }],
  ['values whose own text is nothing', { a: [long, nothing, nothing], b: nothing, c: { ...nothing, long }, d: long }],
  ['values with a text for each key', { a: [long, { toJSON: String }], b: { toJSON: (key: string) => key + long } }],
  ['encoded values', { a: encodedJson(encodeJson(many)!), b: long, c: encodedJson(encodeJson(null)!) }],
]

test.each(large)('%s are printed as JSON.stringify prints them', async (_, value) => {
  const printed = JSON.stringify(value)
  expect(Buffer.concat(await jsonPieces(value)).toString()).toBe(printed)
})

test('what is large is printed in many turns, so that others have theirs', async () => {
  let turns = 0
  const turn = (): void => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const pieces = await jsonPieces({ a: long, b: many, c: long.repeat(5) })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(5)
  for (const piece of pieces) expect(piece.length).toBeLessThan(2_000_000)
})

test('a value is printed once, however many ask', async () => {
  let prints = 0
  const value = { toJSON: () => (prints += 1) }
  expect([jsonOnce(value), jsonOnce(value)]).toEqual(['1', '1'])
  expect(prints).toBe(1)
  const heavy = { long }
  const pieces = (await jsonOnce(heavy)) as readonly Uint8Array[]
  expect(pieces).toBe(await jsonOnce(heavy))
  expect(String(Buffer.concat(pieces))).toBe(JSON.stringify(heavy))
})

test('a copy of a printed value is printed by itself', () => {
  const value = { a: 1 }
  expect([jsonOnce(value), jsonOnce({ ...value, b: 2 })]).toEqual(['{"a":1}', '{"a":1,"b":2}'])
})
