import { expect, test } from 'vitest'

import type { FilePages, PageBlock } from './document.ts'
import { withSpans } from './file-pages.ts'

const block = (type: string, content: string): PageBlock => ({
  ...{ id: content, type, label: null, bbox: null, content, markdownSpan: null, readingOrder: 0, source: null },
  confidence: { layout: null, ocr: null },
})

function spansOf(markdown: string, ...blocks: readonly PageBlock[]): (string | null)[] {
  const pages: FilePages = { blocks: [{ pageNumber: 1, width: null, height: null, status: 'ok', items: blocks }] }
  const items = withSpans(pages, markdown).blocks?.[0]?.items ?? []
  return items.map(({ markdownSpan }) => markdownSpan && markdown.slice(...markdownSpan))
}
const table = (...rows: readonly string[]): PageBlock =>
  block('table', `<table>${rows.map((cells) => `<tr>${cells}</tr>`).join('')}</table>`)

test('a block has the place of its text in the Markdown, in the order of the blocks', () => {
  expect(spansOf('One\n\nTwo\n\nOne', block('text', 'Two'), block('text', 'One'))).toEqual(['Two', 'One'])
  expect(spansOf('One', block('page_header', 'One'), block('text', 'Three'))).toEqual([null, null])
})

test('a table has the place of its rows, also where they go on in the table of the page before', () => {
  const rows = ['| Name | Legs |', '| --- | --- |', '| **Opilio** & co | 8 |', '| Mitopus | 8 |', '| Sabacon | 8 |']
  const first = table('<th>Name</th><th>Legs</th>', '<td><strong>Opilio</strong> &amp; co</td><td>8</td>')
  const second = table('<th>Name</th><th>Legs</th>', '<td>Mitopus</td><td>8</td>', '<td>Sabacon</td><td>8</td>')
  const markdown = `Before\n\n${rows.join('\n')}\n\nAfter`
  expect(spansOf(markdown, block('text', 'Before'), first, second, block('text', 'After'))).toEqual([
    'Before',
    rows.slice(0, 3).join('\n'),
    rows.slice(3).join('\n'),
    'After',
  ])
})

test('a table that is not in the Markdown has no place', () => {
  expect(spansOf('| Name |\n| --- |', table('<th>Other</th>'))).toEqual([null])
})
