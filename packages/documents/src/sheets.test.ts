import { afterAll, describe, expect, test } from 'vitest'

import { odf, relations, rows, sheetParts, xlsx } from './fixtures/files.ts'
import { fileReader } from './fixtures/reading.ts'

const reader = fileReader()
const small = fileReader({ limits: { rows: 3 } })
afterAll(() => Promise.all([reader.close(), small.close()]))

const one = (inner: string, name = 'S') => reader.read(xlsx([{ name, inner }]))

describe('a workbook', () => {
  test('is a heading and a table for each sheet', async () => {
    const first = rows(
      [
        ['A', 'Name'],
        ['B', 'Age'],
      ],
      [
        ['A', 'Ada'],
        ['B', 36],
      ],
    )
    const { markdown, metadata } = await reader.read(
      xlsx([
        { name: 'People &amp; co', inner: first },
        { name: 'Empty', inner: '<sheetData/>' },
      ]),
    )
    expect(markdown).toBe('## People & co\n\n| Name | Age |\n| --- | --- |\n| Ada | 36 |\n\n## Empty')
    expect(metadata).toMatchObject({ numSheets: 2 })
  })

  test('shows dates and numbers as they are displayed', async () => {
    const { markdown } = await one(
      rows(
        [
          ['A', 'day'],
          ['B', 'share'],
          ['C', 'weight'],
          ['D', 'plain'],
        ],
        [
          ['A', 45366, 1],
          ['B', 0.125, 2],
          ['C', 1234.5, 3],
          ['D', 0.1],
        ],
      ),
    )
    expect(markdown).toContain('| 2024-03-15 | 12.50% | 1,234.50 kg | 0.1 |')
  })

  test('shows formulas as their values, and errors and truths as words', async () => {
    const cells =
      '<sheetData><row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="e"><v>#DIV/0!</v></c><c r="C1" t="b"><v>1</v></c><c r="D1" t="str"><f>"a"</f><v>a|b</v></c></row></sheetData>'
    expect((await one(cells)).markdown).toBe('## S\n\n| 2 | #DIV/0! | TRUE | a\\|b |\n| --- | --- | --- | --- |')
  })

  test('leaves empty rows and columns out, around and between', async () => {
    const { markdown } = await one(
      rows(
        [],
        [
          ['C', 'a'],
          ['F', 'b'],
        ],
        [],
        [],
        [['C', 'c']],
      ),
    )
    expect(markdown).toBe('## S\n\n| a | b |\n| --- | --- |\n| c |  |')
  })

  test('keeps merged cells in their place', async () => {
    const grid = rows(
      [
        ['A', 'wide'],
        ['C', 'x'],
      ],
      [
        ['A', 'tall'],
        ['B', '1'],
        ['C', '2'],
      ],
      [
        ['B', '3'],
        ['C', '4'],
      ],
    )
    const { markdown } = await one(
      `${grid}<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="A2:A3"/></mergeCells>`,
    )
    expect(markdown).toBe(
      '## S\n\n<table>\n<tr><th colspan="2">wide</th><th>x</th></tr>\n<tr><td rowspan="2">tall</td><td>1</td><td>2</td></tr>\n<tr><td>3</td><td>4</td></tr>\n</table>',
    )
  })

  test('keeps links that lead out', async () => {
    const sheet = `${rows([
      ['A', 'out'],
      ['B', 'here'],
    ])}<hyperlinks><hyperlink ref="A1" r:id="h1"/><hyperlink ref="B1" r:id="h2"/></hyperlinks>`
    const links = relations(
      ['h1', 'hyperlink', 'https://example.com/?a=1&amp;b=2', 'External'],
      ['h2', 'hyperlink', 'file:///etc/passwd', 'External'],
    )
    const { markdown } = await reader.read(
      xlsx([{ name: 'S', inner: sheet }], { 'xl/worksheets/_rels/sheet1.xml.rels': links }),
    )
    expect(markdown).toContain('| [out](https://example.com/?a=1&b=2) | here |')
  })

  test('leaves hidden sheets out and says so', async () => {
    const sheet = (name: string, state = '') => ({ name, inner: rows([['A', `in ${name}`]]), state })
    const { markdown, warning } = await reader.read(xlsx([sheet('S'), sheet('H', 'hidden'), sheet('V', 'veryHidden')]))
    expect(markdown).toBe('## S\n\n| in S |\n| --- |')
    expect(warning).toBe('The sheet "H" is hidden, so it is left out. The sheet "V" is hidden, so it is left out.')
  })

  test('omits hidden sheets of OpenDocument, also before a style without content', async () => {
    const sheet = (name: string) =>
      `<table:table table:name="${name}" table:style-name="${name}"><table:table-row><table:table-cell office:value-type="string"><text:p>in ${name}</text:p></table:table-cell></table:table-row></table:table>`
    const style = (name: string, isShown: boolean) =>
      `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${isShown}"/></style:style>`
    const styles = style('S', true) + style('H', false) + '<style:style style:name="S"/>'
    const { markdown, warning } = await reader.read(odf('spreadsheet', sheet('S') + sheet('H'), styles, sheetParts))
    expect(markdown).toBe('## S\n\n| in S |\n| --- |')
    expect(warning).toBe('The sheet "H" is hidden, so it is left out.')
  })

  test(
    'says how many rows are left out of a long sheet, and shares the limit among sheets',
    { tags: ['long'] },
    async () => {
      const grid = `<dimension ref="A1:A9"/>${rows(...Array.from({ length: 9 }, (_, i) => [['A', `r${i + 1}`] as const]))}`
      const { markdown, warning } = await small.read(
        xlsx([
          { name: 'S', inner: grid },
          { name: 'T', inner: grid },
        ]),
      )
      expect(markdown).toBe('## S\n\n| r1 |\n| --- |\n| r2 |\n| r3 |\n\n## T')
      expect(warning).toContain('The sheet "S" is shown up to row 3; the 6 rows after it are left out.')
      expect(warning).toContain('The sheet "T" is shown up to row 0; the 9 rows after it are left out.')
    },
  )

  test('does not believe in rows and columns that only its range has', async () => {
    const { markdown, warning } = await one(
      `<dimension ref="A1:XFD1048576"/>${rows([['A', 'a']], [['A', 'b']])}<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>`,
    )
    expect(markdown).toBe('## S\n\n| a |\n| --- |')
    expect(warning).toBe('')
  })
})
