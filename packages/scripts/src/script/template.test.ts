import { expect, test } from 'vitest'

import { scriptSchema } from './schema.ts'
import { checkValues, fillPlaceholders, filledUrl, filledValue, insertPlaceholders } from './template.ts'

test('the longest value is replaced first, and what is replaced is not looked at again', () => {
  expect(insertPlaceholders('New York, York', { city: 'York', place: 'New York' })).toBe('{{place}}, {{city}}')
  expect(insertPlaceholders('name', { name: 'x', other: 'name' })).toBe('{{other}}')
})

test('braces of the page do not become parameters', () => {
  expect(fillPlaceholders(insertPlaceholders('{{name}}', {}), { name: 'Ann' })).toBe('{ {name}}')
})

test('a value is filled in as it is, unknown names stay, and a list stands only by itself', () => {
  expect(fillPlaceholders('{{a}} {{b}}', { a: '$& {{b}}' })).toBe('$& {{b}} {{b}}')
  expect(filledValue('{{some}}', { some: ['x', 'y'] })).toEqual(['x', 'y'])
  expect(filledValue('all of {{some}}', { some: ['x', 'y'] })).toBe('all of {{some}}')
})

test('in an address a value is a part, and leads nowhere else', () => {
  expect(filledUrl('https://a.test/{{q}}', { q: '../?x=1#/' })).toBe('https://a.test/..%2F%3Fx%3D1%23%2F')
})

test('values that are missing, of another type or unknown are refused by name', () => {
  const script = scriptSchema.parse({
    ...{
      version: 1,
      start: 'https://a.test/',
      hosts: ['a.test'],
      steps: [{ action: 'goto', value: 'https://a.test/' }],
    },
    parameters: { city: { type: 'text' }, goods: { type: 'list' } },
  })
  expect(() => checkValues(script, { city: 'Oslo' })).toThrow('"goods" is missing')
  expect(() => checkValues(script, { city: 'Oslo', goods: 'Pen' })).toThrow('"goods" must be a list')
  expect(() => checkValues(script, { city: 'Oslo', goods: [], who: 'Ann' })).toThrow('"who" is not one')
  expect(() => checkValues(script, { city: 'Oslo', goods: [] })).not.toThrow()
})
