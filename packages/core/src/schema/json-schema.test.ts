import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { check } from './problems.ts'
import { jsonSchema, maxJsonSchemaLength } from './json-schema.ts'

const request = z.strictObject({ schema: jsonSchema })
const read = (schema: unknown) => check(request, { schema }).schema

test('JSON Schema stays as it is', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  expect(read(schema)).toEqual(schema)
})

test('a schema of zod becomes the JSON Schema of what it takes: what it fills in may be left out', () => {
  const product = z.object({
    name: z.string().describe('As on the label.'),
    tags: z.array(z.string()).default([]),
    at: z.string().transform(Number),
  })
  const schema = read(product)
  expect(schema).toMatchObject({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'As on the label.' },
      tags: { type: 'array', items: { type: 'string' } },
      at: { type: 'string' },
    },
    required: ['name', 'at'],
  })
  expect(schema).not.toHaveProperty('additionalProperties')
})

test('a schema of any library with the same interface is taken', () => {
  const own = { '~standard': { version: 1, vendor: 'own', jsonSchema: { output: () => ({ type: 'string' }) } } }
  expect(read(own)).toEqual({ type: 'string' })
})

describe('what cannot be said as JSON Schema is refused with the remedy', () => {
  const cases: readonly (readonly [name: string, schema: unknown, says: RegExp])[] = [
    ['a date', z.object({ at: z.date() }), /^schema has a part that JSON Schema cannot express/],
    ['an older zod', { _def: { typeName: 'ZodObject' } }, /^schema is a schema of a library .* zod 4\.2/],
    ['a library without it', { '~standard': { vendor: 'x' } }, /^schema is a schema of a library/],
    ['a text', 'object', /^schema must be an object/],
    ['too much', { title: 'x'.repeat(maxJsonSchemaLength) }, /^schema must have at most 100000 characters/],
  ]
  test.each(cases)('%s', (_, schema, says) => expect(() => read(schema)).toThrow(says))
})
