import { expect, test } from 'vitest'

import { item } from '../../test/items.ts'
import { rowsOf } from './rows.ts'
import { areWrappedCells } from './wrapped-cells.ts'

const full = 'words that fill the whole line'
const strip = 280
/** Makes the lines of two sides, one character for each baseline: `f` is a full line, `s` a short one. */
const isTable = (left: string, right: string): boolean => {
  const side = (kinds: string, x: number) =>
    kinds
      .split('')
      .flatMap((kind, row) =>
        kind === ' ' ? [] : [item(kind === 'f' ? `${full} ${row}` : `end ${row}`, x, 100 + row * 12)],
      )
  return areWrappedCells(rowsOf([...side(left, 50), ...side(right, 300)]), strip)
}

test('cells of several lines begin on one baseline, and the line above their row is short', () => {
  expect(isTable('s  s  s  s  ', 'ffsffsffsffs')).toBe(true)
  expect(isTable('fs fs fs fs ', 'ffsffsffsffs')).toBe(true)
})

test('cells of several lines are found on a page with text above and below them', () => {
  const across = [60, 72, 84, 300, 312, 324].map((y) => item(`${full} ${full} ${full}`, 50, y))
  const table = 's  s  s  s  '.split('').flatMap((kind, row) => (kind === 's' ? [item('key', 50, 100 + row * 12)] : []))
  const cells = 'ffsffsffsffs'.split('').map((kind, row) => item(kind === 'f' ? full : 'end', 300, 100 + row * 12))
  expect(areWrappedCells(rowsOf([...across, ...table, ...cells]), strip)).toBe(true)
})

test('columns of prose are no cells: their lines are full where only the other column has a gap', () => {
  expect(isTable('ffff fffffffff', 'ffffffff fffff')).toBe(false)
  expect(isTable('ffs ffs ffs ff', 'ffffffffffffff')).toBe(false)
})

test('less than three rows of several lines are no table', () => {
  expect(isTable('s  s  ', 'ffsffs')).toBe(false)
})
