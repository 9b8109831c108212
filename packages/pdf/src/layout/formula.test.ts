import { expect, test } from 'vitest'

import { item, page, plain } from '../../test/items.ts'
import type { Block } from '../types.ts'
import { layOut } from './document.ts'

const math = { ...plain, name: 'CMMI10', math: true }
const words = 'some words that fill the line and more of them than any other line ever has'
const text = (y: number) => [0, 1, 2].map((row) => item(words, 60, y + row * 12))
const read = (...items: readonly ReturnType<typeof item>[]): string[] =>
  layOut([page(1, items)], { bookmarks: [] }).map((block: Block) =>
    'runs' in block ? `${block.kind}: ${block.runs.map((run) => run.text).join('')}` : block.kind,
  )

test('a formula is a block of its own, with its exponent, which is a line of its own, and its number', () => {
  const formula = [
    item('E', 250, 150, { face: math }),
    item('=', 265, 150),
    item('mc', 280, 150, { face: math }),
    item('2', 291, 146, { size: 7 }),
    item('(1)', 390, 150),
  ]
  const found = read(...text(100), ...formula, ...text(176))
  expect(found).toEqual([expect.stringMatching(/^text/), 'formula: E = mc2 (1)', expect.stringMatching(/^text/)])
})

test('formulas below each other are one block each', () => {
  const row = (y: number, name: string) => [
    item(name, 250, y, { face: math }),
    item('=', 265, y),
    item('b', 280, y, { face: math }),
  ]
  expect(read(...text(100), ...row(150, 'a'), ...row(168, 'c'), ...text(196))).toContain('formula: c = b')
})

test.each([3, 4, 5])('rows of a table with %s columns are no formulas', (columns) => {
  const cells = (y: number) => [100, 180, 260, 340, 420].slice(0, columns).map((x) => item('a=b', x, y, { face: math }))
  expect(read(...text(100), ...cells(150), ...cells(164), ...cells(178), ...text(204))).toContain('table')
})

test('formulas with wide gaps around the relation sign and a number are no table', () => {
  const row = (y: number, number: string) => [
    item('a', 140, y, { face: math }),
    item('=', 200, y),
    item('b', 260, y, { face: math }),
    item(number, 420, y),
  ]
  const found = read(...text(100), ...row(150, '(1)'), ...row(168, '(2)'), ...row(186, '(3)'), ...text(214))
  expect(found.filter((one) => one.startsWith('formula'))).toHaveLength(3)
})

test('an indented sentence, and one with a variable, is no formula', () => {
  const sentence = [item('where the value', 100, 150), item('a', 178, 150, { face: math }), item('= 2 holds', 186, 150)]
  expect(read(...text(100), ...sentence, ...text(176)).join()).not.toContain('formula')
  expect(read(...text(100), item('a = 2', 250, 150), ...text(176)).join()).not.toContain('formula')
})
