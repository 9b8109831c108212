import { expect, test } from 'vitest'

import { openJson } from './open-json.ts'

const long = 'Words, "quoted", é 漢 😀\n'.repeat(20_000)
const many = Array.from({ length: 30_000 }, (_, index) => `text ${index}`)

test.each<readonly [string, Record<string, unknown>]>([
  ['a small object', { a: 'x', b: [1, { c: ':,{}"' }] }],
  ['a long text', { a: long }],
  ['halves of pairs', { a: '\ud800'.repeat(100_000), b: '\udc00'.repeat(100_000) }],
  ['long lists', { a: many, b: [[many]], c: [] }],
  ['objects within objects', { a: { b: { c: long }, f: {} }, ['k"\u0001']: long }],
  ['a key named __proto__', JSON.parse(`{"a":${JSON.stringify(long)},"__proto__":1}`) as Record<string, unknown>],
])('what was printed of %s is opened again, and prints the same', async (_, value) => {
  const printed = JSON.stringify(value)
  expect(JSON.stringify(await openJson(Buffer.from(printed)))).toBe(printed)
})

test('what is opened keeps its large values as text', async () => {
  const opened = await openJson(Buffer.from(JSON.stringify({ a: long, b: 'short', c: { d: 1 } })))
  expect(opened).toMatchObject({ b: 'short', c: { d: 1 } })
  expect(opened['a']).toHaveProperty('json')
})

test.each(['', '[1]', '{"a":1', `{"a":"${long.replaceAll(/["\n]/g, '')}`, `[${' '.repeat(100_000)}]`])(
  'what is no object, or no whole one, is a damaged store',
  async (text) => {
    await expect(openJson(Buffer.from(text))).rejects.toMatchObject({ details: { reason: 'damaged' } })
  },
)
