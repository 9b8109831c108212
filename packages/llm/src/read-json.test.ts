import { describe, expect, test } from 'vitest'

import { coerceToSchema } from './coerce.ts'
import { readJson } from './read-json.ts'

describe('what is meant is read', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF [1, 2] ', [1, 2]],
    ['"text"', 'text'],
    ['Here:\n```json\n{"a": 1}\n```\nor better:\n```\n{"a": 2}\n```', { a: 2 }],
    ['<think>{"a": 0} or so</think>\n{"a": 1}', { a: 1 }],
    ['The answer {as asked} is {"a": {"b": "}"}}. Good?', { a: { b: '}' } }],
    ['{"a": [1, 2,], "b": ",}",}', { a: [1, 2], b: ',}' }],
    ['[{"a":1},{"a":2}] and {"a":3}', [{ a: 1 }, { a: 2 }]],
  ])('%j', (text, value) => {
    expect(readJson(text)).toEqual({ value })
  })
})

describe('nothing is made up', () => {
  test.each([[''], ['no'], ['{"a": 1'], ["{'a': 1}"], ['```json\n{"a":\n```'], ['{'.repeat(100_000)]])('%#', (text) => {
    expect(readJson(text)).toBeUndefined()
  })
})

describe('output that was cut inside its answer is not an answer', () => {
  test.each([
    ['{"products": [{"name": "Hat"}, {"name": "Ca', undefined],
    ['{"a": 1}\nHere is [another', undefined],
    ['{"a": {"b": 1}}', { value: { a: { b: 1 } } }],
    ['The answer is {"a": {"b": 1}}, because the pa', { value: { a: { b: 1 } } }],
    ['```json\n{"a": 1}\n```\nThe pa', { value: { a: 1 } }],
  ])('%j', (text, found) => {
    expect(readJson(text, true)).toEqual(found)
  })
})

test('no text takes long, however long it is', { tags: ['long'] }, () => {
  for (const piece of ['<think>', '```\n', '{"', '"\\"', '[,', ', ']) readJson(piece.repeat(200_000))
  readJson(`\`\`\`\n${'"\\"'.repeat(200_000)}\n\`\`\``)
})

describe('values get the type that the schema names where they say the same', () => {
  const schema = {
    type: 'object',
    properties: {
      price: { type: 'number' },
      count: { type: 'integer' },
      isNew: { type: 'boolean' },
      name: { type: 'string' },
      either: { type: ['string', 'number'] },
      maybe: { type: ['string', 'null'] },
      list: { type: 'array', items: { type: 'number' } },
    },
    required: ['name'],
  }
  test.each([
    [
      { price: ' 12.50 ', count: '3', isNew: 'TRUE' },
      { price: 12.5, count: 3, isNew: true },
    ],
    [
      { price: '12,50', count: '3.5', isNew: 'yes' },
      { price: '12,50', count: '3.5', isNew: 'yes' },
    ],
    [
      { name: '12', either: '12' },
      { name: '12', either: '12' },
    ],
    [
      { price: null, maybe: null, name: null, other: null },
      { maybe: null, name: null, other: null },
    ],
    [{ list: ['1', 2, 'x'] }, { list: [1, 2, 'x'] }],
  ])('%j', (value, mended) => {
    expect(coerceToSchema(value, schema)).toEqual(mended)
  })
})
