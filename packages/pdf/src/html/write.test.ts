import { expect, test } from 'vitest'

import type { Block, Run } from '../types.ts'
import { writeHtml } from './write.ts'

const run = (text: string, more: Partial<Run> = {}): Run => ({
  text,
  bold: false,
  italic: false,
  mono: false,
  raised: undefined,
  link: undefined,
  ...more,
})
const entry = (text: string, depth: number, number?: number): Block => ({
  kind: 'item',
  runs: [run(text)],
  depth,
  number,
  page: 1,
})

test('text is escaped, and control characters are left out', () => {
  expect(writeHtml([{ kind: 'code', text: 'a<b & "c"\u0007', page: 1 }])).toBe(
    '<pre><code>a&lt;b &amp; &quot;c&quot;</code></pre>',
  )
})

test('lists nest by their depth, and a numbered one begins with its number', () => {
  expect(writeHtml([entry('a', 0), entry('b', 1), entry('c', 0)])).toBe(
    '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
  )
  expect(writeHtml([entry('c', 0, 3), entry('d', 0, 4)])).toBe('<ol start="3"><li>c</li><li>d</li></ol>')
  expect(writeHtml([entry('a', 0), entry('b', 0, 1)])).toBe('<ul><li>a</li></ul>\n<ol><li>b</li></ol>')
})

test('a heading is not bold on top, and a link over two looks is one link', () => {
  const link = 'https://example.com/?a=1&b=2'
  const runs = [run('See ', { bold: true }), run('the ', { link }), run('site', { link, italic: true }), run(' now')]
  expect(writeHtml([{ kind: 'heading', level: 2, runs, page: 1 }])).toBe(
    '<h2>See <a href="https://example.com/?a=1&amp;b=2">the site</a> now</h2>',
  )
})

test('cells say how far they go', () => {
  const cells = [{ runs: [run('a')], colspan: 2, rowspan: 1 }]
  expect(writeHtml([{ kind: 'table', rows: [{ cells, isHead: true }], columns: [], page: 1 }])).toBe(
    '<table><tr><th colspan="2">a</th></tr></table>',
  )
})
