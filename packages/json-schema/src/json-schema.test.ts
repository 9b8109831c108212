import { describe, expect, test, vi } from 'vitest'

import type { Json, JsonSchema } from '@harvestman/ports'
import { findMisfits, misfitsMessage } from './check.ts'
import { isSchemaFault, readJsonSchema } from './read.ts'

const problemsOf = (value: Json, schema: JsonSchema): string => misfitsMessage(findMisfits(value, schema))

const product = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    price: { type: ['number', 'null'], minimum: 0 },
    tags: { type: 'array', items: { enum: ['new', 'used'] }, maxItems: 2, uniqueItems: true },
    next: { $ref: '#' },
  },
  required: ['name', 'price'],
  additionalProperties: false,
} satisfies JsonSchema

// Written out, because an object with a `then` is taken for a promise by the linter.
const branching = JSON.parse('{"if":{"type":"number"},"then":{"minimum":5},"else":{"minLength":5}}') as JsonSchema

describe('a value that fits has no misfits', () => {
  test.each<[Json, JsonSchema]>([
    [{ name: 'a', price: null }, product],
    [{ name: 'a', price: 1.5, tags: ['new', 'used'], next: { name: 'b', price: 0 } }, product],
    ['2', { type: 'string', pattern: '^\\d$' }],
    [4, { type: 'integer', multipleOf: 2, exclusiveMinimum: 3, exclusiveMaximum: 5 }],
    [0.3, { multipleOf: 0.1 }],
    [null, { type: 'string', nullable: true }],
    [{ a: 1 }, { const: { a: 1 } }],
    [
      { x_1: 1, other: 'b' },
      { patternProperties: { '^x_': { type: 'number' } }, additionalProperties: { type: 'string' } },
    ],
    [[1, 'a'], { prefixItems: [{ type: 'number' }], items: { type: 'string' } }],
    [[1, 'a'], { items: [{ type: 'number' }, { type: 'string' }] }],
    [{ a: 1 }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }],
    [5, branching],
    [['a', 1], { contains: { type: 'number' } }],
    [{ anything: [1, null] }, {}],
    ['no date', { type: 'string', format: 'date' }],
  ])('%j in %j', (value, schema) => {
    expect(problemsOf(value, schema)).toBe('')
  })
})

describe('a value that does not fit is told where and how', () => {
  test.each<[Json, JsonSchema, string]>([
    [{ name: 'a' }, product, 'price is missing.'],
    [{ name: '', price: 1 }, product, 'name must have at least 1 characters, and has 0.'],
    [{ name: 'a', price: '1' }, product, 'price must be a number or null, and is "1".'],
    [{ name: 'a', price: -1 }, product, 'price must be at least 0, and is -1.'],
    [{ name: 'a', price: 1, more: 1 }, product, 'more is a property that the schema does not have.'],
    [{ name: 'a', price: 1, tags: ['old'] }, product, 'tags[0] must be one of ["new","used"], and is "old".'],
    [{ name: 'a', price: 1, tags: ['new', 'new'] }, product, 'tags has an item twice.'],
    [{ name: 'a', price: 1, next: { name: 'b' } }, product, 'next.price is missing.'],
    [[], product, 'The value must be an object, and is [].'],
    [1.5, { type: 'integer' }, 'The value must be a whole number, and is 1.5.'],
    ['ab', { pattern: '^\\d$' }, 'The value must match "^\\\\d$", and is "ab".'],
    [
      true,
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      'The value fits none of the 2 forms it may have, and is true.',
    ],
    [
      { a: 1, b: 1 },
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      'The value must fit one of 2 forms and fits 2.',
    ],
    ['a', { not: { type: 'string' } }, 'The value has a form that it must not have.'],
    [[1], { contains: { type: 'string' } }, 'The value has none of the items that it must contain.'],
    [{ a: 1 }, { properties: { a: false } }, 'a must not be there.'],
    [{}, { required: ['constructor'] }, 'constructor is missing.'],
  ])('%j in %j: %s', (value, schema, says) => {
    expect(problemsOf(value, schema)).toBe(says)
  })
})

describe('a schema that cannot be used is refused with its fault', () => {
  test.each<[JsonSchema, string]>([
    [{ type: 'text' }, 'has the type "text", which JSON Schema does not know, at its root'],
    [
      { properties: { a: { type: ['string', 'none'] } } },
      'has the type ["string","none"], which JSON Schema does not know, at /properties/a',
    ],
    [{ properties: { a: 'string' } }, 'must have a schema at /properties/a: an object, true or false'],
    [{ properties: [] }, 'has properties of the wrong kind at its root'],
    [{ required: 'a' }, 'has a required that is no list of names at its root'],
    [
      { $ref: 'https://example.com/schema' },
      'refers to "https://example.com/schema", which is nowhere in it, at its root',
    ],
    [{ items: { $ref: '#/$defs/none' } }, 'refers to "#/$defs/none", which is nowhere in it, at /items'],
    [{ pattern: '(?=a)' }, 'is the pattern "(?=a)", which looks ahead or behind; that is not supported'],
    [{ description: 'x'.repeat(200_001) }, 'is larger than 200000 characters'],
  ])('%j', (schema, problem) => {
    const read = readJsonSchema(schema)
    expect(isSchemaFault(read) && read.problem).toBe(problem)
  })

  test('also when it is deeper than can be printed', () => {
    const deep = JSON.parse(`${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`) as JsonSchema
    expect(readJsonSchema(deep)).toEqual({ problem: 'has parts more than 60 levels deep' })
  })
})

describe('no schema makes checking endless', () => {
  test('one that refers to itself for the same value', () => {
    expect(problemsOf(1, { $ref: '#' })).toContain('refers to itself without end')
    expect(problemsOf(1, { anyOf: [{ $ref: '#' }] })).not.toBe('')
  })

  test('one whose choices multiply', () => {
    const schema = { anyOf: Array.from({ length: 8 }, () => ({ $ref: '#' })) }
    expect(problemsOf(1, schema)).toBe('The value is too much to be checked against this schema.')
  })

  test('one with a pattern that runs away in other engines', () => {
    expect(problemsOf(`${'a'.repeat(5000)}!`, { pattern: '^(a+)+$' })).toContain('must match')
  })

  // So many uses of a part are allowed where it looks at little.
  const often = (part: JsonSchema): JsonSchema => ({
    anyOf: Array.from({ length: 100 }, () => ({ $ref: '#/$defs/a' })),
    $defs: { a: { anyOf: Array.from({ length: 50 }, () => ({ $ref: '#/$defs/b' })) }, b: part },
  })
  const text = 'a'.repeat(20_000)
  const items = Array.from({ length: 2_000 }, (_, index) => index)
  const named = Object.fromEntries(items.map((index) => [`n${index}`, index]))

  test.each<[string, Json, JsonSchema]>([
    ['the length of a text', text, { minLength: 20_001 }],
    ['a pattern', text, { pattern: 'b$' }],
    ['an enum', 'a', { enum: items }],
    ['a constant', items, { const: [...items.slice(0, -1), 0] }],
    ['equal items', items, { uniqueItems: true, maxItems: 1 }],
    ['names', named, { minProperties: 2_001 }],
    ['required names', {}, { required: Object.keys(named) }],
    ['types', 'a', { type: items.map(() => 'null') }],
  ])('one that looks through %s again and again', (_, value, part) => {
    expect(problemsOf(value, often(part))).toBe('The value is too much to be checked against this schema.')
    expect(problemsOf(value, part)).not.toContain('too much')
  })

  test('one that finds the same misfit again and again: the value is printed once', () => {
    const print = vi.spyOn(JSON, 'stringify')
    expect(problemsOf(items, often({ type: 'null' }))).toContain('fits none of the 100 forms')
    expect(print.mock.calls.filter(([value]) => value === items).length).toBe(1)
    print.mockRestore()
  })

  test('one whose patterns are small, and large together', () => {
    const patterns = Array.from({ length: 600 }, (_, index) => ({ pattern: `(\\pL{9}){9}${index}` }))
    expect(readJsonSchema({ anyOf: patterns })).toMatchObject({
      problem: expect.stringContaining('too large together'),
    })
  })
})
