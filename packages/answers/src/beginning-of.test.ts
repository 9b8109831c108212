import { expect, test } from 'vitest'

import { beginningOf } from './beginning-of.ts'

test('a document is cut at the end of a line, so that no sentence is cited in part', () => {
  const markdown = 'It costs EUR 12.\nIt weighs 3 kg.\nIt is new.'
  expect(beginningOf(markdown, 40)).toBe('It costs EUR 12.\nIt weighs 3 kg.')
  expect(beginningOf(markdown, 16)).toBe('It costs EUR 12.')
  expect(beginningOf(markdown, 5)).toBe('It co')
  expect(beginningOf(markdown, 100)).toBe(markdown)
})
