import { expect, test } from 'vitest'

import { changedFields } from './fields.ts'
import { notationOf, numberIn } from './numbers.ts'

test.each([
  ['€1,299.00', 1299],
  ['1.299,00 €', 1299],
  ['1 299,50 zł', 1299.5],
  ["CHF 1'299.95", 1299.95],
  ['1.299.000 Einwohner', 1_299_000],
  ['1,299,000.5', 1_299_000.5],
  ['12,34,567 rupees', 1_234_567],
  ['12,5 %', 12.5],
  ['-3,20', -3.2],
  ['0,125 l', 0.125],
  ['0.1299', 0.1299],
  ['1299.125', 1299.125],
  ['1.299.', 1.299],
  ['from 20 to 30', 20],
  ['no number', undefined],
  [7, 7],
  [null, undefined],
])('%j is read as %j', (value, expected) => {
  expect(numberIn(value, () => undefined)).toBe(expected)
})

test.each([
  ['1.299', ['999,00'], 1299],
  ['1,299', ['999,00'], 1.299],
  ['1.299', ['12.50'], 1.299],
  ['1,299', ['12.50'], 1299],
  ['1,299', [{ count: '1.200.300 in stock' }], 1.299],
  ['1.299 €', ['lamps'], 1299],
  ['$1,299', ['lamps'], 1299],
  ['1.299 kg', ['lamps'], 1.299],
  ['1,299 km', ['lamps'], 1299],
  ['1.299 €', ['0,50', '12.50'], 1299],
])('%s is ambiguous, and beside %j it is read as %j', (value, others, expected) => {
  expect(numberIn(value, () => notationOf(value, others))).toBe(expected)
})

test('a threshold compares numbers that are written with decimal commas', () => {
  const rules = { fields: [], items: [], thresholds: [{ field: 'price', by: 300 }] }
  const changes = (previous: string, current: string) =>
    Object.keys(changedFields({ price: previous }, { price: current }, rules))
  expect(changes('999,00 €', '1.299,00 €')).toEqual(['price'])
  expect(changes('1.000,00 €', '1.299,00 €')).toEqual([])
  expect(changes('999,00 €', '1.299 €')).toEqual(['price'])
})
