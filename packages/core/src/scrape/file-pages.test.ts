import { expect, test } from 'vitest'

import type { PageBlock, PageBlocks } from './document.ts'
import { withSpans } from './file-pages.ts'

const block = (type: string, content: string): PageBlock => ({
  ...{ id: content, type, label: null, bbox: null, content, markdownSpan: null, readingOrder: 0, source: null },
  confidence: { layout: null, ocr: null },
})

const pageOf = (...items: readonly PageBlock[]): PageBlocks[] => [
  { pageNumber: 1, width: null, height: null, status: 'ok', items },
]

async function spansOf(markdown: string, ...blocks: readonly PageBlock[]): Promise<(string | null)[]> {
  const located = await withSpans(pageOf(...blocks), markdown, new AbortController().signal)
  const items = located[0]?.items ?? []
  return items.map(({ markdownSpan }) => markdownSpan && markdown.slice(...markdownSpan))
}

const cells = (...texts: readonly string[]): string => texts.map((text) => `<td>${text}</td>`).join('')
const table = (...rows: readonly string[]): PageBlock =>
  block('table', `<table>${rows.map((cells) => `<tr>${cells}</tr>`).join('')}</table>`)

test('a block has the place of its text in the Markdown, in the order of the blocks', async () => {
  expect(await spansOf('One\n\nTwo\n\nOne', block('text', 'Two'), block('text', 'One'))).toEqual(['Two', 'One'])
  expect(await spansOf('One', block('page_header', 'One'), block('text', 'Three'))).toEqual([null, null])
})

test('a block has the place of its text with emphasis, links and escapes', async () => {
  const markdown = 'One two\n\n**Total:** 12 [lamps](https://a.test/1), a\\_b and m<sup>2</sup>.\n\n- _Next_ one'
  const blocks = [block('text', 'Total: 12 lamps, a_b and m2.'), block('list_item', 'Next one')]
  expect(await spansOf(markdown, ...blocks)).toEqual([
    '**Total:** 12 [lamps](https://a.test/1), a\\_b and m<sup>2</sup>.',
    '_Next_ one',
  ])
  expect(await spansOf(markdown, block('text', 'One three'), block('text', '-'))).toEqual([null, '-'])
})

test('a table has the place of its rows, also where they go on in the table of the page before', async () => {
  const rows = ['| Name | Legs |', '| --- | --- |', '| **Opilio** & co | 8 |', '| Mitopus | 8 |', '| Sabacon | 8 |']
  const first = table('<th>Name</th><th>Legs</th>', '<td><strong>Opilio</strong> &amp; co</td><td>8</td>')
  const second = table('<th>Name</th><th>Legs</th>', '<td>Mitopus</td><td>8</td>', '<td>Sabacon</td><td>8</td>')
  const markdown = `Before\n\n${rows.join('\n')}\n\nAfter`
  expect(await spansOf(markdown, block('text', 'Before'), first, second, block('text', 'After'))).toEqual([
    'Before',
    rows.slice(0, 3).join('\n'),
    rows.slice(3).join('\n'),
    'After',
  ])
})

test('a table that is not in the Markdown has no place', async () => {
  expect(await spansOf('| Name |\n| --- |', table('<th>Other</th>'))).toEqual([null])
})

test('the last row of a table is found cell by cell, not in the digits of another row', async () => {
  const block = table(cells('Name', 'Legs'), cells('10', '21'), cells('1', '2'))
  const markdown = '| Name | Legs |\n| --- | --- |\n| 10 | 21 |\n| 1 | 2 |'
  expect(await spansOf(markdown, block)).toEqual([markdown])
})

test('rows without text, with only a dash, and equal rows do not change the place of a table', async () => {
  const rows = [
    cells('', ''),
    cells('-', '-'),
    cells('a', 'b'),
    cells('c', 'd'),
    cells('a', 'b'),
    cells('-', ''),
    cells('', ''),
  ]
  const lines = ['| - | - |', '| --- | --- |', '| a | b |', '| c | d |', '| a | b |', '| - |  |']
  expect(await spansOf(`| x |\n\n${lines.join('\n')}\n\nEnd`, table(...rows))).toEqual([lines.slice(2, 5).join('\n')])
})

test('cells with links, line breaks, vertical bars and spans are found', async () => {
  const block = table(
    '<td colspan="2">Both</td>',
    '<td><a href="https://a.example/b_(c)">Link</a></td><td>a|b</td>',
    cells('One<br>two', '&lt;3'),
  )
  const markdown = '| Both |  |\n| --- | --- |\n| [Link](https://a.example/b_(c)) | a\\|b |\n| One<br>two | &lt;3 |'
  expect(await spansOf(markdown, block)).toEqual([markdown])
})

test('a table that is written as HTML has the place of its rows', async () => {
  const block = table('<th colspan="2">Both</th>', cells('One &amp; <strong>two</strong>', '3'), cells('', ''))
  const rows = '<tr><th colspan="2">Both</th></tr>\n<tr><td>One &amp; <strong>two</strong></td><td>3</td></tr>'
  expect(await spansOf(`Before\n\n<table>\n${rows}\n</table>\n\nAfter`, block)).toEqual([rows])
})

test('a table that begins like another one is found behind it', async () => {
  const markdown = '| A |\n| --- |\n| x |\n\n| A |\n| --- |\n| y |'
  expect(await spansOf(markdown, table(cells('A'), cells('y')))).toEqual(['| A |\n| --- |\n| y |'])
})

test('large blocks are searched in turns of the event loop, and a huge table has no place', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => [`Row ${index}`, 'x'.repeat(80)])
  const markdown = rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
  const one = table(...rows.map((row) => cells(...row)))
  let turns = 0
  const count = (): void => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const spans = await spansOf(`${markdown}\n\n${markdown}`, one, one)
  clearImmediate(timer)
  expect([spans, turns > 0]).toEqual([[markdown, markdown], true])
  expect(await spansOf(markdown, table(...Array.from({ length: 2_000 }, () => cells('x'.repeat(100)))))).toEqual([null])
})

test('a long text that almost occurs everywhere is searched in a short time', async () => {
  const almost = 'a'.repeat(300_000)
  expect(await spansOf(almost, block('text', `${'a'.repeat(150_000)}b`))).toEqual([null])
})

test('the search ends with the request', async () => {
  const pages = pageOf(block('text', 'x'))
  await expect(withSpans(pages, 'x', AbortSignal.abort(new Error('late')))).rejects.toThrow('late')
})
