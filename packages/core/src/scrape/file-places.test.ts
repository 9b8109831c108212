import { expect, test } from 'vitest'

import { placesOf } from '../citations/places.ts'
import type { PageBlock, PageBlocks } from './document.ts'
import { locateBlocks } from './file-places.ts'

const block = (content: string, bbox: PageBlock['bbox']): PageBlock => ({
  ...{ id: content, type: 'text', label: null, bbox, content, markdownSpan: null, readingOrder: 0, source: null },
  confidence: { layout: null, ocr: null },
})
const page = (pageNumber: number, ...items: readonly PageBlock[]): PageBlocks => ({
  ...{ pageNumber, width: null, height: null, status: 'ok', items },
})

const markdown = 'First text\n\nSecond text\n\nThird text\n\nFourth text'
const pages = [
  page(1, block('First text', [0.1, 0.1, 0.5, 0.2]), block('Second text', [0.2, 0.3, 0.9, 0.4])),
  page(2, block('Third text', null), block('Fourth text', [0.1, 0.1, 0.5, 0.2])),
]

test('a passage has the pages that it is on, with the box around its blocks', async () => {
  const { placed } = locateBlocks(pages, new AbortController().signal)
  const passage = (from: string, to: string) => [markdown.indexOf(from), markdown.indexOf(to) + to.length] as const
  const passages = [
    passage('Second', 'Second'),
    passage('text', 'Third'),
    passage('Third', 'Third'),
    passage('\n\n', '\n\n'),
  ]
  const blocks = await placed(markdown)
  expect(passages.map((one) => placesOf(blocks, one))).toEqual([
    [{ page: 1, box: [0.2, 0.3, 0.9, 0.4] }],
    [{ page: 1, box: [0.1, 0.1, 0.9, 0.4] }, { page: 2 }],
    [{ page: 2 }],
    [],
  ])
  expect(await placed('Other Markdown')).toEqual([])
})
