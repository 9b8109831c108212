import { describe, expect, test } from 'vitest'

import { indexText, listLeafValues } from './ground.ts'

const page = `# Lamp *Aurora*

Price: **EUR 1,299.50** incl. VAT (was 1.499,00 €)

Published on 3 March 2026 by Zoë  Müller. 120 in stock.

| Size | Weight |
| --- | --- |
| 30 cm | 2,5 kg |
`

describe('a value that stands in the page', () => {
  test.each([
    ['Lamp Aurora', '# Lamp *Aurora*'],
    ['lamp aurora', '# Lamp *Aurora*'],
    [1299.5, 'Price: **EUR 1,299.50** incl. VAT'],
    [1499, 'was 1.499,00 €'],
    ['2026-03-03', 'Published on 3 March 2026'],
    ['2026-03-03T00:00:00Z', 'Published on 3 March 2026'],
    ['Zoe Muller', 'Zoë  Müller'],
    [120, '120 in stock'],
    [2.5, '2,5 kg'],
  ])('%j is found', (value, words) => {
    const found = indexText(page).find(value)
    expect(found?.quote).toContain(words)
    expect(page.slice(found!.position)).toMatch(/^\S/)
  })
})

describe('a value that stands nowhere in the page', () => {
  test.each([['Lamp Borealis'], [12], [1299], [''], ['Aur'], [true], ['2026-03-04']])('%j is not found', (value) => {
    expect(indexText(page).find(value)).toBeUndefined()
  })
})

test('the tags of a table that is written as HTML are spaces', () => {
  const table = '<table>\n<tr><td rowspan="2">Opilio</td><td>8</td></tr>\n<tr><td>3 <b>x</b></td></tr>\n</table>'
  const text = indexText(table)
  expect(text.find(2)).toBeUndefined()
  expect(text.find(3)?.position).toBe(table.indexOf('3'))
  expect(text.span('Opilio 8 3')).toEqual({ from: table.indexOf('Opilio'), to: table.indexOf('3') + 1 })
})

test('the values of a value have their places', () => {
  expect(listLeafValues({ a: [1, { 'b/c': 'x' }], d: null })).toEqual([
    ['/a/0', 1],
    ['/a/1/b~1c', 'x'],
  ])
})

test('a long page is prepared in time', { tags: ['long'] }, () => {
  const text = 'word and word '.repeat(100_000)
  const grounded = indexText(text)
  for (let count = 0; count < 50; count += 1) grounded.find(`word ${count}`)
})
