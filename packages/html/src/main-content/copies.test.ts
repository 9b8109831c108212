import { expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { cutBlocks } from './blocks.ts'
import { makeNameReader } from './class-words.ts'
import { copiesOf, type Copies } from './copies.ts'
import { emptyLexicon } from './lexicon.ts'
import { makeLookup } from './text-scan.ts'

function copiesIn(...lines: string[]): Copies {
  const { root } = parseHtml(lines.map((line) => `<p>${line}</p>`).join(''))
  return copiesOf(cutBlocks(root, makeLookup(new Set(), emptyLexicon.words), makeNameReader(emptyLexicon)))
}

test('each block knows how often its words were said before it and will be after it', () => {
  const { earlier, later, previous } = copiesIn('one two', 'other', 'one two', 'One, two', 'last')
  expect([...earlier]).toEqual([0, 0, 1, 2, 0])
  expect([...later]).toEqual([2, 0, 1, 0, 0])
  expect([...previous]).toEqual([-1, -1, 0, 2, -1])
})

test('a run that was copied as a whole is told from lines that happen to be the same', () => {
  const { runBlocks, runWords } = copiesIn('a b', 'c d e', 'f', 'a b', 'c d e', 'g', 'f')
  expect([...runBlocks]).toEqual([0, 0, 0, 2, 2, 0, 1])
  expect([...runWords]).toEqual([0, 0, 0, 5, 5, 0, 1])
})

test('three clones in a row are copies of the one before', () => {
  const { previous, runBlocks } = copiesIn('a', 'b', 'a', 'b', 'a', 'b')
  expect([...previous]).toEqual([-1, -1, 0, 1, 2, 3])
  expect([...runBlocks]).toEqual([0, 0, 4, 4, 4, 4])
})
