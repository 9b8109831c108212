import { expect, test } from 'vitest'

import { findQuote, fontSize, markdownParts, maxText, plainText, type BlockItem } from '../page/src/lib/blocks.ts'

const item = (id: string, content: string, span?: readonly [number, number], type = 'text'): BlockItem => ({
  ...{ id, type, content, bbox: null, markdownSpan: span ?? null },
})

test('the Markdown of a page is the parts of its blocks, and what is between them', () => {
  const items = [item('a', 'One', [3, 6]), item('b', 'none'), item('c', 'Two', [8, 11])]
  expect(markdownParts('x\n\nOne\n\nTwo\n\ny', { pageNumber: 1, items })).toEqual({
    parts: [{ text: 'One', id: 'a' }, { text: '\n\n' }, { text: 'Two', id: 'c' }],
    isCut: false,
  })
})

test('the Markdown of a page is cut at the limit, also in the middle of its only block', () => {
  const markdown = 'One and'.padEnd(2 * maxText)
  const two = [
    item('a', 'One', [0, 3]),
    item('b', 'long', [4, maxText + 1]),
    item('c', 'more', [maxText + 1, maxText + 2]),
  ]
  const { parts, isCut } = markdownParts(markdown, { pageNumber: 1, items: two })
  expect({ isCut, parts: parts.map(({ id, text }) => [id, text.length]) }).toEqual({
    isCut: true,
    parts: [
      ['a', 3],
      [undefined, 1],
      ['b', maxText - 4],
    ],
  })
  const fits = markdownParts(markdown, { pageNumber: 1, items: [item('a', 'One', [0, maxText])] })
  expect({ ...fits, parts: fits.parts.map(({ text }) => text.length) }).toEqual({ isCut: false, parts: [maxText] })
})

test('the text of a table has no tags', () => {
  expect(plainText(item('a', '<table><tr><td>A &amp; B</td><td>&lt;i&gt;</td></tr></table>', undefined, 'table'))).toBe(
    'A & B <i>',
  )
})

test('a quote is found in the block that contains it, with other spaces and marks too', () => {
  const pages = [
    { pageNumber: 1, items: [item('a', 'Total')] },
    { pageNumber: 2, items: [item('b', '<table><tr><td>Sum</td><td>12 EUR</td></tr></table>', undefined, 'table')] },
  ]
  expect(findQuote(pages, '**Sum** | 12  EUR')).toEqual({ page: 2, id: 'b' })
  expect(findQuote(pages, 'none')).toBeUndefined()
  expect(findQuote(pages, ' ')).toBeUndefined()
})

test('a text in a large box is not larger than the largest size, and one in a small box has a size', () => {
  expect(fontSize('x', [0, 0, 1, 1], 1.4)).toBe(4)
  expect(fontSize('x'.repeat(10_000), [0, 0, 0.1, 0.01], 1.4)).toBe(0.5)
})
