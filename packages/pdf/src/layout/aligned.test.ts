import { expect, test } from 'vitest'

import { item, page } from '../../test/items.ts'
import { writeHtml } from '../html/write.ts'
import { layOut } from './document.ts'

// Columns that are 8 units apart: less than the gap that ends a text elsewhere.
const row = (y: number, ...texts: readonly string[]) =>
  texts.flatMap((text, column) => (text === '' ? [] : [item(text, [50, 98, 146][column] ?? 0, y)]))
const html = (...rows: readonly (readonly string[])[]): string =>
  writeHtml(
    layOut(
      [
        page(
          1,
          rows.flatMap((texts, at) => row(100 + at * 12, ...texts)),
        ),
      ],
      { bookmarks: [] },
    ),
  )

test('rows of aligned cells are a table, even if their columns are close to each other', () => {
  const rows = [
    ['Name abc', 'Legs abc', 'Eyes'],
    ['Opilio a', 'eight ab', 'two'],
    ['Mitopus ', 'eight cd', 'two'],
    ['Sabacon ', 'eight ef', 'two'],
  ]
  expect(html(...rows)).toMatch(/^<table><tr><th>Name abc<\/th><th>Legs abc<\/th><th>Eyes<\/th><\/tr>/)
  expect(html(...rows.slice(1))).not.toContain('<table>')
})

test('a list of words with commas, a list with narrow marks, and words that are not aligned, are not a table', () => {
  const words = ['Opilios,', 'Mitopus,', 'Sabacon,']
  expect(html(words, words, words, words)).not.toContain('<table>')
  const marks = [0, 1, 2, 3].flatMap((at) => [
    item('\u2023', 40, 100 + at * 12),
    item('zero glue', 51, 100 + at * 12),
    item('\u2023', 104, 100 + at * 12),
    item('dir nodes', 115, 100 + at * 12),
  ])
  expect(writeHtml(layOut([page(1, marks)], { bookmarks: [] }))).not.toContain('>\u2023</t')
  const shifted = [0, 3, 5, 9, 2].flatMap((by, at) =>
    row(100 + at * 12, 'somewhat', 'moreover', 'words').map((each) => ({ ...each, x: each.x + by })),
  )
  expect(writeHtml(layOut([page(1, shifted)], { bookmarks: [] }))).not.toContain('<table>')
})

test('rows of close columns are a table with empty cells and with cells of several lines', () => {
  const empty = [
    ['Name abc', 'Legs abc', 'Eyes'],
    ['Opilio a', '', 'two'],
    ['Mitopus ', 'eight cd', 'two'],
    ['Sabacon ', 'eight ef', 'two'],
    ['Trogulus', 'eight gh', 'two'],
  ]
  expect(html(...empty)).toContain('<tr><td>Opilio a</td><td></td><td>two</td></tr>')
  const long = [
    ['Name abc', 'Legs abc', 'Eyes abc of all kinds'],
    ...['Opilio a', 'Mitopus ', 'Sabacon '].flatMap((name) => [
      [name, 'eight ab', 'two eyes on the middle'],
      ['', '', 'of its small back'],
    ]),
  ]
  expect(html(...long)).toContain(
    '<tr><td>Mitopus</td><td>eight ab</td><td>two eyes on the middle of its small back</td></tr>',
  )
})

test('a first cell of several lines goes on in lower case', () => {
  const names = ['Opilio a', 'Mitopus ', 'Sabacon '].flatMap((name) => [
    [name, 'eight ab', 'two eyes on the middle'],
    ['of woods', '', 'of its small back'],
  ])
  const table = html(['Name abc', 'Legs abc', 'Eyes abc of all kinds'], ...names)
  expect(table).toContain('<tr><td>Mitopus of woods</td><td>eight ab</td>')
  expect(table.match(/<tr>/g)).toHaveLength(4)
})
