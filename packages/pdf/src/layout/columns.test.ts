import { expect, test } from 'vitest'

import { item } from '../../test/items.ts'
import { regionsOf } from './columns.ts'
import { rowsOf } from './rows.ts'

const line = (text: string, x: number, row: number) => item(text, x, 100 + row * 12)
const first = (items: Parameters<typeof rowsOf>[0]): string[] =>
  regionsOf(rowsOf(items)).map((region) => region[0]?.[0]?.items[0]?.text ?? '')

const words = 'some words that fill the line'
const column = (name: string, x: number, rows: number): ReturnType<typeof line>[] =>
  Array.from({ length: rows }, (_, row) => line(row === 0 ? `${name} ${words}` : `${words} and on`, x, row))

test('two columns are read one after the other, where their lines are level and where they are not', () => {
  expect(first([...column('left', 50, 8), ...column('right', 300, 8)])).toEqual([`left ${words}`, `right ${words}`])
  const lower = column('right', 300, 8).map((each) => item(each.text, each.x, each.y + 5))
  expect(first([...column('left', 50, 8), ...lower])).toEqual([`left ${words}`, `right ${words}`])
})

test('what runs across both columns comes before or after them, by its place', () => {
  const across = item('a title that runs across both columns of the page, from left to right', 60, 70)
  expect(first([across, ...column('left', 50, 8), ...column('right', 300, 8)])).toEqual([
    across.text,
    `left ${words}`,
    `right ${words}`,
  ])
})

test('short cells beside each other are a table, and are read by their rows', () => {
  const cells = Array.from({ length: 8 }, (_, row) => [line(`key ${row}`, 50, row), line(`value ${row}`, 300, row)])
  expect(regionsOf(rowsOf(cells.flat()))).toHaveLength(1)
})
