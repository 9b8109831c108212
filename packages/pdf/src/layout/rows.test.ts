import { expect, test } from 'vitest'

import { item } from '../../test/items.ts'
import { rowsOf } from './rows.ts'

const texts = (items: Parameters<typeof rowsOf>[0]): string[] =>
  rowsOf(items).map((row) => row.map((segment) => segment.items.map(({ text }) => text).join('+')).join(' | '))

test('runs on one baseline are a row, from left to right, and rows come from top to bottom', () => {
  expect(texts([item('below', 10, 40), item('second', 60, 20), item('first', 10, 20.5)])).toEqual([
    'first | second',
    'below',
  ])
})

test('a wide gap parts a row, a blank between words does not', () => {
  expect(texts([item('words', 10, 20), item('near', 38, 20), item('far away', 80, 20)])).toEqual([
    'words+near | far away',
  ])
})

test('a small raised mark belongs to the row of the word it touches, also where that word is short', () => {
  expect(texts([item('1', 35, 16, { size: 6 }), item('words', 10, 20)])).toEqual(['words+1'])
  expect(texts([item('T', 15, 16, { size: 6 }), item('x', 10, 20), item('a longer run', 24, 20)])).toEqual([
    'x+T+a longer run',
  ])
})

test('letters drawn twice, a hair apart, are there once', () => {
  expect(texts([item('bold', 10, 20), item('bold', 10.4, 20), item('bold', 90, 20)])).toEqual(['bold | bold'])
})
