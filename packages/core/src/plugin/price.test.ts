import { expect, test } from 'vitest'

import { priceOfPages } from './price.ts'

const page = { min: 1, expected: 2, max: 5, reasons: [] }
const unlimited = { min: 1, reasons: [] }

test('the price of many pages is that of each times their number, up to maxCredits', () => {
  expect(priceOfPages(page, { least: 2, most: 3 }, 'pages')).toMatchObject({ min: 2, expected: 6, max: 15 })
  expect(priceOfPages(page, { least: 2, most: 3, maxCredits: 4 }, 'pages')).toMatchObject({
    min: 2,
    expected: 4,
    max: 4,
  })
})

test('pages without a maximum price have none together, unless maxCredits is one', () => {
  expect(priceOfPages(unlimited, { least: 1, most: 3 }, 'pages')).not.toHaveProperty('max')
  expect(priceOfPages(unlimited, { least: 1, most: 3, maxCredits: 7 }, 'pages')).toMatchObject({ min: 1, max: 7 })
})

test('no pages cost nothing, whatever each would cost', () => {
  const free = { min: 0, expected: 0, max: 0, reasons: [] }
  expect(priceOfPages(free, { least: 0, most: Infinity }, 'pages')).toMatchObject({ min: 0, max: 0, expected: 0 })
  for (const each of [page, unlimited])
    for (const maxCredits of [undefined, 0, 7]) {
      const { min, max, expected = 0 } = priceOfPages(each, { least: 0, most: 0, maxCredits }, 'pages')
      expect({ min, max, expected }).toEqual({ min: 0, max: 0, expected: 0 })
    }
})
