import { expect, test } from 'vitest'
import { parseHtml } from '../parse.ts'
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
