import { expect, test } from 'vitest'

import { partsOf } from './parts.ts'

function page(characters: number) {
  return { url: '', title: '', markdown: 'x'.repeat(characters), language: '', version: '', at: 0 }
}

test('pages are divided by their number and their characters, and a long page is alone', () => {
  const sizes = [1, 1, 1, 5, 20, 5, 6].map(page)
  const parts = partsOf(sizes, { pages: 2, characters: 10 })
  expect(parts.map((part) => part.map(({ markdown }) => markdown.length))).toEqual([[1, 1], [1, 5], [20], [5], [6]])
  expect(partsOf([], { pages: 2, characters: 10 })).toEqual([])
})
