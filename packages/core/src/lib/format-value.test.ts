import { expect, test } from 'vitest'

import { formatValue } from './format-value.ts'

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

test.each([
  [{ a: 1 }, '{"a":1}'],
  [undefined, 'undefined'],
  [() => 1, 'a function'],
  [10n, '10n'],
  [{ a: 10n }, 'an object'],
  [cycle, 'an object'],
  [[cycle], 'an array'],
  ['x'.repeat(200), `"${'x'.repeat(99)}`],
])('formats any value without an error (%#)', (value, text) => {
  expect(formatValue(value)).toBe(text)
})
