import { expect, test } from 'vitest'

import { gather } from './gather.ts'
import type { Listing } from './listing.ts'

const column = (name: string, kind: 'text' | 'number' = 'text') => ({ name, kind, place: `>p.${name}` })

function listing(rows: Readonly<Record<string, string | number>>[], columns: Listing['columns']): Listing {
  return { rows, columns, ids: rows.map(({ name }) => String(name)) }
}

test('an item that is read twice is one row, and is not new the second time', () => {
  const gathered = gather(10)
  const columns = [column('name')]
  expect(gathered.add(listing([{ name: 'one' }, { name: 'two' }], columns))).toBe(2)
  expect(gathered.add(listing([{ name: 'two' }, { name: 'three' }], columns))).toBe(1)
  expect(gathered.list().rows).toEqual([{ name: 'one' }, { name: 'two' }, { name: 'three' }])
})

test('no more rows are gathered than asked for', () => {
  const gathered = gather(2)
  expect(gathered.add(listing([{ name: 'one' }, { name: 'two' }, { name: 'three' }], [column('name')]))).toBe(2)
  expect(gathered.size).toBe(2)
})

test('no more is gathered than ten million letters and a row', () => {
  const gathered = gather(100)
  const long = 'a'.repeat(4_000_000)
  const rows = [1, 2, 3, 4, 5].map((n) => ({ name: `${n}`, text: long }))
  expect(gathered.add(listing(rows, [column('name'), column('text')]))).toBe(3)
  expect(gathered.isFull()).toBe(true)
})

test('a column that has numbers on one page and words on another has words', () => {
  const gathered = gather(10)
  gathered.add(listing([{ name: 'one', left: 3 }], [column('name'), column('left', 'number')]))
  gathered.add(listing([{ name: 'two', left: 'none' }], [column('name'), column('left')]))
  expect(gathered.list()).toEqual({
    columns: [
      { name: 'name', kind: 'text' },
      { name: 'left', kind: 'text' },
    ],
    rows: [
      { name: 'one', left: '3' },
      { name: 'two', left: 'none' },
    ],
  })
})

test('rows of another list are not gathered', () => {
  const gathered = gather(10)
  gathered.add(listing([{ name: 'one' }], [column('name')]))
  expect(gathered.add(listing([{ name: 'Menu' }], [column('entry')]))).toBe(0)
  expect(gathered.size).toBe(1)
})
