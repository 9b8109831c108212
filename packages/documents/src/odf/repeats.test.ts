import { expect, test } from 'vitest'

import { boundRepeats } from './repeats.ts'

const limits = { rows: 10, cells: 20 }
const row = (attributes: string): string =>
  `<table:table-row><table:table-cell ${attributes}><text:p>1</text:p></table:table-cell></table:table-row>`

test.each([
  ['as usual', 'table:number-columns-repeated="9000"'],
  ['after a value with <', 'x="<" table:number-columns-repeated="9000"'],
  ['after a value with the same words', `x='columns-repeated="1' table:number-columns-repeated="9000"`],
])('cells that are repeated too often are limited: %s', (_, attributes) => {
  const { xml, isCut } = boundRepeats(row(attributes), limits)
  expect(isCut).toBe(true)
  expect(xml).toContain('table:number-columns-repeated="20"')
})

test('a sheet of tags without an end is read once', () => {
  const xml = `${row('table:number-columns-repeated="2"')}${'<table:table-cell x="'.repeat(50_000)}`
  expect(boundRepeats(xml, limits)).toEqual({ xml, isCut: false })
})

test('a tag with very many repeat counts is read', () => {
  const { xml, isCut } = boundRepeats(row(`x='${'columns-repeated="1 '.repeat(150_000)}'`), limits)
  expect([xml.length > 0, isCut]).toEqual([true, false])
})
