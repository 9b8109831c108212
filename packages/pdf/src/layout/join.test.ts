import { expect, test } from 'vitest'

import type { Run } from '../types.ts'
import { joinRuns, wordsOf } from './join.ts'
import { textOf } from './lines.ts'

const run = (text: string): Run[] => [
  { text, bold: false, italic: false, mono: false, raised: undefined, link: undefined },
]
const joined = (first: string, second: string, document = ''): string =>
  textOf(joinRuns(run(first), run(second), wordsOf([document])))

test('lines are joined with a blank, and those of Chinese and Japanese with none', () => {
  expect(joined('one line', 'and another')).toBe('one line and another')
  expect(joined('它不', '是蜘蛛。')).toBe('它不是蜘蛛。')
})

test('a word that a hyphen cuts is one word again', () => {
  expect(joined('a docu-', 'ment')).toBe('a document')
  expect(joined('a docu\u00ad', 'ment')).toBe('a document')
})

test('a hyphen stays where the document has the word with it, before a capital and after a number', () => {
  expect(joined('a well-', 'known word', 'It is well-known.')).toBe('a well-known word')
  expect(joined('Jean-', 'Paul')).toBe('Jean-Paul')
  expect(joined('pages 10-', '12')).toBe('pages 10- 12')
})
