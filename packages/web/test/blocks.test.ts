import { expect, test } from 'vitest'

import {
  findQuote,
  fontSize,
  imageStyle,
  markdownParts,
  maxText,
  plainText,
  typesOf,
  type BlockItem,
} from '../page/src/lib/blocks.ts'
import { placedValues } from '../page/src/lib/evidence.ts'

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
  expect(findQuote(pages, { quote: '**Sum** | 12  EUR' })).toEqual({ page: 2, id: 'b' })
  expect(findQuote(pages, { quote: 'none' })).toBeUndefined()
  expect(findQuote(pages, { quote: ' ' })).toBeUndefined()
})

test('the text of a block is prepared once, and at most 500 values of the page are searched', () => {
  let reads = 0
  const block = {
    ...item('a', ''),
    get content() {
      reads += 1
      return 'Total 12'
    },
  }
  const fields = Array.from({ length: 600 }, (_, at) => [`/${at}`, { quote: 'total', isGrounded: at > 0 }])
  const values = placedValues([], Object.fromEntries(fields), [{ pageNumber: 1, items: [block] }])
  expect([values.length, values[0]?.name, reads]).toEqual([500, '1', 1])
})

test('a quote that several blocks contain is found on its page and in its box', () => {
  const at = (id: string, left: number): BlockItem => ({ ...item(id, '12 EUR'), bbox: [left, 0.1, left + 0.1, 0.2] })
  const pages = [
    { pageNumber: 1, items: [at('a', 0.1)] },
    { pageNumber: 2, items: [at('b', 0.1), at('c', 0.5)] },
  ]
  expect(findQuote(pages, { quote: '12 EUR' })).toEqual({ page: 1, id: 'a' })
  expect(findQuote(pages, { quote: '12 EUR', page: 2 })).toEqual({ page: 2, id: 'b' })
  expect(findQuote(pages, { quote: '12 EUR', page: 2, box: [0.45, 0, 0.7, 0.3] })).toEqual({ page: 2, id: 'c' })
  expect(findQuote(pages, { quote: '12 EUR', page: 3 })).toEqual({ page: 1, id: 'a' })
})

test('the types of the blocks of a page are counted in their order', () => {
  const items = [item('a', '', undefined, 'title'), item('b', ''), item('c', '')]
  expect(typesOf({ pageNumber: 1, items })).toEqual([
    ['title', 1],
    ['text', 2],
  ])
})

test('a picture that is on its side is as wide as its page is high', () => {
  expect(imageStyle(1.5, 1.25)).toMatchObject({ width: '100cqw', height: '125cqw' })
  expect(imageStyle(270.5, 1.25)).toMatchObject({ width: '125cqw', height: '100cqw' })
})

test('a text in a large box is not larger than the largest size, and one in a small box has a size', () => {
  expect(fontSize('x', [0, 0, 1, 1], 1.4)).toBe(4)
  expect(fontSize('x'.repeat(10_000), [0, 0, 0.1, 0.01], 1.4)).toBe(0.5)
})
