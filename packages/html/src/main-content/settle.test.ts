import { expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { describe, readingOf } from './features.ts'
import { emptyLexicon } from './lexicon.ts'
import { settleBlocks } from './settle.ts'

function settled(html: string, chances: readonly number[]): number[] {
  const described = describe(parseHtml(html).root, '', readingOf(emptyLexicon))
  const kept = Uint8Array.from(chances, (chance) => (chance >= 0.5 ? 1 : 0))
  expect(described.blocks.count).toBe(chances.length)
  settleBlocks(described, Float32Array.from(chances), kept, 0.5)
  return [...kept]
}

const table = (cell: string): string => `<table><tr><th>a<th>b</tr><tr><td>c<td>${cell}</tr></table>`

test('a table of data is kept or left out as a whole', () => {
  expect(settled(table('d'), [0.9, 0.2, 0.8, 0.9])).toEqual([1, 1, 1, 1])
  expect(settled(table('d'), [0.1, 0.2, 0.1, 0.9])).toEqual([0, 0, 0, 0])
})

test('a table that lays out a page is decided block by block', () => {
  expect(settled(table('long text '.repeat(100)), [0.1, 0.2, 0.1, 0.9])).toEqual([0, 0, 0, 1])
  expect(settled(table(`<table><tr><td>x</table>`), [0.9, 0.2, 0.9, 0.9])).toEqual([1, 0, 1, 1])
})

test('a heading between kept text stays, unless it is hopeless or leads to text that goes', () => {
  const html = '<p>a</p><h2>b</h2><p>c</p>'
  expect(settled(html, [0.9, 0.3, 0.9])).toEqual([1, 1, 1])
  expect(settled(html, [0.9, 0.1, 0.9])).toEqual([1, 0, 1])
  expect(settled(html, [0.9, 0.3, 0.1])).toEqual([1, 0, 0])
})

test('what is said again is kept only when it is wanted for sure, a part that was cloned more so than one line', () => {
  const line = '<p>one two three four five six</p>'
  expect(settled(`${line}<p>x</p>${line}`, [0.9, 0.9, 0.69])).toEqual([1, 1, 0])
  expect(settled(`${line}<p>x</p>${line}`, [0.9, 0.9, 0.71])).toEqual([1, 1, 1])
  const clone = `<p>${'word '.repeat(40)}</p>`
  expect(settled(`${clone}<p>x</p>${clone}`, [0.9, 0.9, 0.8])).toEqual([1, 1, 0])
  expect(settled(`${clone}<p>x</p>${clone}`, [0.9, 0.9, 0.9])).toEqual([1, 1, 1])
})

test('a copy of something that is left out, a short copy and a copy in code are like any block', () => {
  const line = 'one two three four five six'
  expect(settled(`<p>${line}</p><p>${line}</p>`, [0.1, 0.6])).toEqual([0, 1])
  expect(settled('<p>one two</p><p>one two</p>', [0.9, 0.6])).toEqual([1, 1])
  expect(settled(`<pre>${line}</pre><pre>${line}</pre>`, [0.9, 0.6])).toEqual([1, 1])
})

test('equal cells do not make holes in a table of data', () => {
  const cells = '<td>one two three four five six'
  expect(settled(`<table><tr>${cells}${cells}<tr>${cells}${cells}</table>`, [0.9, 0.6, 0.6, 0.6])).toEqual([1, 1, 1, 1])
})
