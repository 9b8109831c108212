import { expect, test } from 'vitest'

import { kindOf } from './values.ts'

test('the type of a column is that of all its cells, and text without cells', () => {
  expect(kindOf(['€ 5', '€ 7.50'])).toBe('price')
  expect(kindOf(['5', '7'])).toBe('number')
  expect(kindOf(['5', 'seven'])).toBe('text')
  expect(kindOf([])).toBe('text')
})
