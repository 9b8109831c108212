import { expect, test } from 'vitest'

import { estimateTokens } from './tokens.ts'

test('scripts without spaces have about one token per character, others fewer', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('漢字かな한글')).toBe(6)
  expect(estimateTokens('a'.repeat(35))).toBe(10)
  expect(estimateTokens(`漢${'a'.repeat(7)}`)).toBe(3)
})
