import { expect, test } from 'vitest'

import { bold, plain } from '../../test/items.ts'
import type { TextBlock } from '../types.ts'
import { titleKey, withHeadings } from './headings.ts'

const body = { size: 10, isBold: false }
const block = (text: string, more: Partial<TextBlock> = {}): TextBlock => ({
  kind: 'text',
  runs: [{ text, bold: false, italic: false, mono: false, raised: undefined, link: undefined }],
  text,
  size: 10,
  face: plain,
  lines: 1,
  role: undefined,
  page: 1,
  ...more,
})
const levels = (
  blocks: readonly TextBlock[],
  bookmarks: Parameters<typeof withHeadings>[1] = [],
): (number | string)[] =>
  withHeadings(blocks, bookmarks, body).map((each) => (each.kind === 'heading' ? each.level : each.kind))

test('larger letters are higher headings, bold ones of the size of the text the lowest', () => {
  const blocks = [block('A', { size: 20 }), block('Big part', { size: 20 }), block('Part', { size: 14 })]
  expect(levels([...blocks, block('Small part', { face: bold }), block('Text.')])).toEqual(['text', 1, 2, 3, 'text'])
})

test('long text is none, whatever its letters', () => {
  expect(levels([block('word '.repeat(60), { size: 20 }), block('Bold sentence.', { face: bold })])).toEqual([
    'text',
    'text',
  ])
})

test('bookmarks name headings that look like text, and say how deep they are', () => {
  const bookmarks = [
    { title: '1. First', depth: 1 },
    { title: 'Below', depth: 2 },
  ]
  expect(levels([block('1 FIRST'), block('Below'), block('other')], bookmarks)).toEqual([1, 2, 'text'])
})

test('a title that no bookmark names stands above those that they name', () => {
  const bookmarks = [{ title: 'First', depth: 1 }]
  expect(levels([block('The title', { size: 24 }), block('First', { size: 14 })], bookmarks)).toEqual([1, 2])
})

test('the structure of the file itself is believed', () => {
  expect(levels([block('Not large', { role: 'H3' })])).toEqual([3])
})

test('numbers, dots and case do not part a bookmark from its heading', () => {
  expect(titleKey('2.1  Where They Live')).toBe(titleKey('2.1. where they live'))
  expect(titleKey('Where they live')).toBe(titleKey('Chapter 2 Where they live'))
})
