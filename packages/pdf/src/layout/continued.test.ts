import { expect, test } from 'vitest'

import { item, page } from '../../test/items.ts'
import type { Block, Box, Rule, TableBlock, TextBlock } from '../types.ts'
import { writeHtml } from '../html/write.ts'
import { joinTables } from './continued.ts'
import { layOut } from './document.ts'
import { wordsOf } from './join.ts'

const place: Box = { left: 50, right: 350, top: 100, bottom: 700 }

const words = wordsOf([])

function table(
  page: number,
  rows: readonly (readonly string[])[],
  box = place,
  columns: TableBlock['columns'] = [],
): Block {
  const style = { bold: false, italic: false, mono: false, raised: undefined, link: undefined }
  const cells = rows.map((texts) => texts.map((text) => ({ runs: [{ ...style, text }], colspan: 1, rowspan: 1 })))
  return { kind: 'table', page, box, columns, rows: cells.map((row, at) => ({ cells: row, isHead: at === 0 })) }
}
const read = (...blocks: readonly Block[]): string => writeHtml(joinTables(blocks, words))
const first = table(1, [['Name'], ['Opilio']])

test('a table that goes on on the next page is one, without its repeated head', () => {
  const whole = '<table><tr><th>Name</th></tr><tr><td>Opilio</td></tr><tr><td>Mitopus</td></tr></table>'
  expect(read(first, table(2, [['Name'], ['Mitopus']], { ...place, right: 300 }))).toBe(whole)
  expect(read(first, table(2, [['Mitopus']]))).toBe(whole)
})

test('a table with other columns, at another place, or not on the next page, is another one', () => {
  const count = (...blocks: readonly Block[]): number => joinTables(blocks, words).length
  expect(count(first, table(2, [['Mitopus', '8']]))).toBe(2)
  expect(count(first, table(2, [['Mitopus']], { ...place, left: 200 }))).toBe(2)
  expect(count(first, table(1, [['Mitopus']]))).toBe(2)
  expect(count(first, table(3, [['Mitopus']]))).toBe(2)
})

test('a table at the same place with a head of its own in bold is another one', () => {
  const bold = (block: Block): Block =>
    block.kind === 'table'
      ? {
          ...block,
          rows: block.rows.map((row, at) => ({
            ...row,
            cells: row.cells.map((cell) => ({ ...cell, runs: cell.runs.map((run) => ({ ...run, bold: at === 0 })) })),
          })),
        }
      : block
  const other = table(2, [['Year'], ['2026']])
  expect(joinTables([bold(first), bold(other)], words)).toHaveLength(2)
  expect(joinTables([bold(first), other], words)).toHaveLength(1)
  const years = bold(
    table(1, [
      ['Item', '2025'],
      ['Sales', '70'],
    ]),
  )
  for (const row of [
    ['Total profit', '60'],
    ['Non-current assets', ''],
  ])
    expect(joinTables([years, bold(table(2, [row, ['Land', '8']]))], words)).toHaveLength(1)
})

test('a table whose columns begin or end at the same place on the next page is one', () => {
  const columns = (left: number, right: number) => [
    { left: 50, right: 90 },
    { left, right },
  ]
  const rows = [
    ['Name', 'Legs'],
    ['Opilio', '8'],
  ]
  const count = (...next: readonly [number, number]): number => {
    const other = table(2, [['Mitopus', '800']], { ...place, right: 280 }, columns(...next))
    return joinTables([table(1, rows, place, columns(200, 260)), other], words).length
  }
  expect(count(200, 300)).toBe(1)
  expect(count(240, 260)).toBe(1)
  expect(count(220, 300)).toBe(2)
})

test('a row that the page break splits is one row', () => {
  const rows = [
    ['Name', 'Place'],
    ['Opilio', 'On the walls of houses and'],
    ['Mitopus', 'In woods.'],
  ]
  const body = (...blocks: readonly Block[]): string => read(...blocks).replace(/.*?<\/tr>/, '')
  const split = table(2, [['', 'in gardens.'], ...rows.slice(2)])
  expect(body(table(1, rows.slice(0, 2)), split)).toBe(
    '<tr><td>Opilio</td><td>On the walls of houses and in gardens.</td></tr><tr><td>Mitopus</td><td>In woods.</td></tr></table>',
  )
  const withHead = table(2, [
    ['Name', 'Place'],
    ['', 'in gardens.'],
  ])
  expect(body(table(1, rows.slice(0, 2)), withHead)).toContain('houses and in gardens.')
})

test('a cell with a number in its first part goes on with words', () => {
  const rows = (cell: string) => ({
    ...table(1, [
      ['Name', 'Rule'],
      ['Pump', cell],
    ]),
    isOpenBelow: true,
  })
  const cases = [
    ['ISO 9001,', 'and ISO 14001'],
    ['Art. 12', 'in conjunction with Art. 14'],
    ['12 kg', 'per box of wood'],
    ['Q4 2025', 'or the first quarter after it'],
  ] as const
  for (const [above, below] of cases) expect(read(rows(above), table(2, [['', below]]))).toContain(`${above} ${below}`)
})

test('a row without a name is a row of its own where others have none either', () => {
  const rows = [
    ['Name', 'Place'],
    ['Opilio', 'Walls.'],
    ['', 'Gardens.'],
  ]
  expect(read(table(1, rows), table(2, [['', 'Woods.']]))).toContain('<td></td><td>Woods.</td>')
})

test('a row of totals without a name does not become part of the last row', () => {
  const rows = [
    ['Name', 'Price'],
    ['Pear', '2.00'],
  ]
  expect(read(table(1, rows), table(2, [['', '5.00']]))).toContain('<tr><td></td><td>5.00</td></tr>')
  expect(read(table(1, rows), table(2, [['', 'Total']]))).toContain('<tr><td></td><td>Total</td></tr>')
  const priced = [...rows.slice(0, 1), ['Pear', 'EUR 2.00']]
  const open = { ...table(1, priced), isOpenBelow: true }
  expect(read(open, table(2, [['', 'EUR 5.00']]))).toContain('<tr><td></td><td>EUR 5.00</td></tr>')
  const described = [
    ['Name', 'What', 'Price'],
    ['Pear', 'A juicy fruit from the south of France', '2.00'],
  ]
  const totals = table(2, [['', 'Total', 'EUR 5.00']])
  for (const block of [table(1, described), { ...table(1, described), isOpenBelow: true }])
    expect(read(block, table(2, [['', 'Total', '']]))).toContain('<td>Total</td>')
  expect(read(table(1, described), totals)).toContain('<tr><td></td><td>Total</td><td>EUR 5.00</td></tr>')
})

test('a row whose cells are all filled continues the row before only if the lines are open at the page break', () => {
  const glossary = [
    ['term', 'meaning'],
    ['harvestman or daddy longlegs', 'an arachnid with eight long legs'],
  ]
  const next = table(2, [['pedipalp of an arachnid', 'one of the second pair of limbs']])
  expect(read(table(1, glossary), next)).toContain('<tr><td>pedipalp of an arachnid</td>')
  for (const parts of [
    [{ ...table(1, glossary), isOpenBelow: true }, next],
    [table(1, glossary), { ...next, isOpenAbove: true }],
  ])
    expect(read(...parts)).toContain('<td>harvestman or daddy longlegs pedipalp of an arachnid</td>')
})

test('a table of many pages is joined with its rows in order', () => {
  const parts = Array.from({ length: 50 }, (_, at) => table(at + 1, [['Name'], [`Opilio ${at}.`], [`Mitopus ${at}.`]]))
  const [whole, ...others] = joinTables(parts, words)
  expect(others).toEqual([])
  const names = Array.from({ length: 50 }, (_, at) => `<tr><td>Opilio ${at}.</td></tr><tr><td>Mitopus ${at}.</td></tr>`)
  expect(writeHtml(whole ? [whole] : [])).toBe(`<table><tr><th>Name</th></tr>${names.join('')}</table>`)
})

const face = { name: 'Any', bold: false, italic: false, mono: false }
function line(page: number, text: string): TextBlock {
  const style = { bold: false, italic: false, mono: false, raised: undefined, link: undefined }
  return { kind: 'text', page, runs: [{ ...style, text }], text, size: 10, face, lines: 1, role: undefined }
}

test('only a line that is nothing but a note is omitted between the parts of a table', () => {
  const next = table(2, [['Mitopus']])
  const notes = [
    '(continued)',
    'Table 2.1: continued',
    'Fortsetzung',
    'Tabelle 2 (Fortsetzung)',
    'Tableau 1 \u2013 suite',
  ]
  const captions = [
    'Table 3. Revenue by region (continued)',
    'TABLE IV (Continued)',
    'TABLE II CONTINUED',
    'Table S1 (continued)',
    'Table 12a (continued)',
    'Continued overleaf',
    'Continued on page 4',
  ]
  for (const note of [...notes, ...captions, 'Continued on next page', "Table 1 cont'd", 'Tabla 3 (continuaci\u00f3n)'])
    expect(read(first, line(2, note), next)).toBe(read(first, next))
  const others = ['Tabla 3. Edad (continua)', 'Table 4. Rooms (suite)', "Table d'hote menu (suite)"]
  const sentences = [
    ...others,
    'Sales continued to grow in 2025.',
    'The office suite costs 20.',
    'We continue with Table 2.',
  ]
  for (const text of [...sentences, 'Table 3. Rooms: bath, suite', 'Continued on page 4 of the report, sales rose.'])
    expect(joinTables([first, line(2, text), table(2, [['Legs'], ['8']])], words)).toHaveLength(3)
})

test('a note that the table continues is omitted between its parts, and stays elsewhere', () => {
  const noteOn = (page: number) => line(page, 'Table 1 (continued)')
  const next = table(2, [['Mitopus']])
  expect(read(first, noteOn(1), noteOn(2), next)).toBe(read(first, next))
  expect(read(first, noteOn(1))).toContain('continued')
  expect(read(first, noteOn(2), table(2, [['Mitopus', '8']]))).toContain('continued')
})

test('a page break through a row of a ruled table is recognized by lines that continue beyond the last horizontal one', () => {
  const upright = (top: number, bottom: number): Rule[] =>
    [50, 200, 350].map((x) => ({ left: x, right: x, top, bottom }))
  const level = (y: number): Rule => ({ left: 50, right: 350, top: y, bottom: y })
  const row = (y: number, name: string, meaning: string) => [item(name, 55, y), item(meaning, 205, y)]
  const rowsAbove = [...row(640, 'Term', 'Meaning'), ...row(660, 'the harvestman or daddy', 'an arachnid with eight')]
  const rowsBelow = [...row(60, 'longlegs', 'long legs'), ...row(80, 'Web', 'Silk.')]
  const html = (bottom: number, lines: readonly number[], top: number): string => {
    const first = { ...page(1, rowsAbove), rules: [...upright(630, bottom), ...lines.map(level)] }
    const second = {
      ...page(2, rowsBelow),
      rules: [...upright(top, 90), ...[70, 90].map(level), ...(top < 50 ? [] : [level(top)])],
    }
    return writeHtml(layOut([first, second], { bookmarks: [] }))
  }
  const joined = '<td>the harvestman or daddy longlegs</td><td>an arachnid with eight long legs</td>'
  expect(html(680, [630, 650], 40)).toContain(joined)
  expect(html(670, [630, 650, 670], 50)).not.toContain(joined)
})
