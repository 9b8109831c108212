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

describe('a table that is written as HTML', () => {
  const table = [
    '<table>',
    '<tr><th rowspan="2">Tom &amp; Co</th><td>R&amp;D&amp;</td><td><b>Bold</b> name</td><td>a &lt; 3 &quot;x&quot;</td></tr>',
    '<tr><td>one<br>two</td><td><a href="/x?a=1&amp;b=2">link</a></td><td>H<sub>2</sub>O</td><td><em>un</em>done, 1,299<sup>7</sup></td></tr>',
    `<tr><td>${'long &amp; '.repeat(8)}</td><td colspan="2">price 12</td><td rowspan="2">${'wide &gt; '.repeat(8)}</td></tr>`,
    '</table>',
  ].join('\n')
  const text = indexText(table)
  const first = 'Tom & Co R&D& Bold name a < 3 "x"'

  test.each([
    ['Tom & Co', 'Tom &amp; Co'],
    ['R&D&', 'R&amp;D&amp;'],
    ['Bold name', 'Bold</b> name'],
    ['a < 3 "x"', 'a &lt; 3 &quot;x&quot;'],
  ])('has %j, and its quote has no tags', (value, written) => {
    const [span] = text.findAll(value)
    expect(table.slice(span?.from, span?.to)).toBe(written)
    const quote = text.find(value)?.quote
    expect(quote).toContain(value)
    expect(first).toContain(quote)
  })

  test.each([['two'], ['link'], ['undone'], [1299], ['/x?a=1&b=2']])('has %j', (value) => {
    expect(text.find(value)?.quote).toContain(typeof value === 'number' ? '1,299' : value.replace('&', '&amp;'))
  })

  test('is quoted without parts of tags and entities', () => {
    expect(text.find('price 12')?.quote).toMatch(/^(?:long|ong|ng|g)?(?: ?& long)* & price 12( wide >)+(?: w?i?d?e?)?$/)
  })
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
