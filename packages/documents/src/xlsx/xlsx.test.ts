import { afterAll, describe, expect, test } from 'vitest'

import { relations, rows, xlsx, type FileParts } from '../fixtures/files.ts'
import { fileReader } from '../fixtures/reading.ts'

const reader = fileReader()
const small = fileReader({ limits: { rows: 3 } })
const few = fileReader({ limits: { cells: 4 } })
afterAll(() => Promise.all([reader.close(), small.close(), few.close()]))

const space = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const one = (inner: string, more: FileParts = {}) => reader.read(xlsx([{ name: 'S', inner }], more))
const styled = (codes: readonly string[], book = '') => ({
  'xl/styles.xml': `<styleSheet xmlns="${space}"><numFmts>${codes.map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${codes.map((_, i) => `<xf numFmtId="${170 + i}"/>`).join('')}</cellXfs></styleSheet>`,
  ...(book === '' ? {} : { 'xl/workbook.xml': book }),
})

describe('the cells of a workbook', () => {
  test(
    'may call strings by number: plain, of many looks, with how they are spoken, with coded signs',
    { tags: ['long'] },
    async () => {
      const strings =
        '<si><t>plain &amp; short</t></si><si><r><t>two </t></r><r><rPr><b/></rPr><t xml:space="preserve">looks</t></r></si>' +
        '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>a_x000A_b _x005F_x0041_</t></si><si/>'
      const { markdown } = await one(
        '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c><c r="E1" t="s"><v>4</v></c><c r="F1" t="s"><v>99</v></c></row></sheetData>',
        {
          'xl/_rels/workbook.xml.rels': relations(
            ['s1', 'worksheet', 'worksheets/sheet1.xml'],
            ['t', 'sharedStrings', 'words.xml'],
          ),
          'xl/words.xml': `<sst xmlns="${space}">${strings}</sst>`,
        },
      )
      expect(markdown).toBe(
        '## S\n\n| plain & short | two looks | 東京 | a<br>b \\_x0041\\_ |\n| --- | --- | --- | --- |',
      )
    },
  )

  test('may have no place of their own, and tags with a prefix and other quotes', async () => {
    const { markdown } = await reader.read(
      xlsx([{ name: 'S', inner: '' }], {
        'xl/workbook.xml': `<x:workbook xmlns:x="${space}" xmlns:q="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><x:sheets><x:sheet name="S" q:id="s1"/></x:sheets></x:workbook>`,
        'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="${space}"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c/><x:c t='str'><x:f>A1&lt;2</x:f><x:v>two</x:v></x:c></x:row><x:row><x:c r='C2'\nt='inlineStr'><x:is><x:t>three</x:t></x:is></x:c></x:row></x:sheetData><x:mergeCells><x:mergeCell ref='A1:A2'/></x:mergeCells></x:worksheet>`,
      }),
    )
    expect(markdown).toBe(
      '## S\n\n<table>\n<tr><th rowspan="2">1</th><th>two</th></tr>\n<tr><td>three</td></tr>\n</table>',
    )
  })

  test('are displayed in the formats of the workbook', async () => {
    const line = [
      ['A', -5, 1],
      ['B', 0.5, 2],
      ['D', 1.5, 4],
      ['E', 0.30000000000000004],
      ['F', 12345678901234],
      ['G', 7, 99],
    ] as const
    const codes = ['0;(0)', '# ?/?', '@&quot; here&quot;', '[h]:mm']
    const word = '<c r="C1" s="3" t="str"><v>word</v></c><c r="D1"'
    expect((await one(rows(line).replace('<c r="D1"', word), styled(codes))).markdown).toContain(
      '| (5) | 1/2 | word here | 36:00 | 0.3 | 1.23457E+13 | 7 |',
    )
  })

  test('count days from 1904 where the workbook does, and may be dates that are written out', async () => {
    const book = (date1904: string) =>
      `<workbook xmlns="${space}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="${date1904}"/><sheets><sheet name="S" r:id="s1"/></sheets></workbook>`
    const cells =
      '<sheetData><row r="1"><c r="A1" s="1"><v>45366</v></c><c r="B1" s="1" t="d"><v>2024-03-15T12:00:00</v></c><c r="C1" t="d"><v>2024-03-15</v></c></row></sheetData>'
    const read = async (date1904: string) => (await one(cells, styled(['yyyy-mm-dd hh:mm'], book(date1904)))).markdown
    expect(await read('0')).toContain('| 2024-03-15 00:00 | 2024-03-15 12:00 | 2024-03-15 |')
    expect(await read('1')).toContain('| 2028-03-16 00:00 | 2024-03-15 12:00 | 2024-03-15 |')
  })

  test('keep a link that lies on many of them', async () => {
    const sheet = `${rows([['A', 'a']], [['A', 'b']], [['A', 'c']])}<hyperlinks><hyperlink ref="A1:B2" r:id="h" location="x"/></hyperlinks>`
    const { markdown } = await one(sheet, {
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['h', 'hyperlink', 'https://example.com/', 'External']),
    })
    expect(markdown).toContain('| [a](https://example.com/#x) |\n| --- |\n| [b](https://example.com/#x) |\n| c |')
  })
})

test('a link whose hint has a > is read, and a range in such a tag too', async () => {
  const tags = `<mergeCells><mergeCell x="a > b" ref="A2:B2"/></mergeCells><hyperlinks><hyperlink ref="A1" tooltip='more > "less"' r:id="h"/></hyperlinks>`
  const sheet = `${rows(
    [
      ['A', 'a'],
      ['B', 'b'],
      ['C', 'd'],
    ],
    [
      ['A', 'c'],
      ['C', 'e'],
    ],
  )}${tags}`
  const { markdown } = await one(sheet, {
    'xl/worksheets/_rels/sheet1.xml.rels': relations(['h', 'hyperlink', 'https://example.com/', 'External']),
  })
  expect(markdown).toContain('https://example.com/')
  expect(markdown).toContain('colspan="2"')
})

describe('a long sheet', () => {
  const line = (i: number): string => `<row r="${i}"><c r="A${i}"><v>${i}</v></c></row>`
  const book = (...numbers: readonly number[]) =>
    xlsx([{ name: 'S', inner: `<sheetData>${numbers.map(line).join('')}</sheetData>` }])

  test('is cut after as many rows as have something in them, wherever these stand', { tags: ['long'] }, async () => {
    const { markdown, warning } = await small.read(book(10, 700_000, 900_000))
    expect(markdown).toBe('## S\n\n| 10 |\n| --- |\n| 700000 |\n| 900000 |')
    expect(warning).toBe('')
  })

  test('says what is left out by the last row that has something in it', async () => {
    const empty = '<row r="99" ht="20"/><row r="100"><c r="A100" s="1"/></row>'
    const cut = xlsx([{ name: 'S', inner: `<sheetData>${[1, 2, 3, 4, 7].map(line).join('')}${empty}</sheetData>` }])
    expect((await small.read(cut)).warning).toBe(
      'The sheet "S" is shown up to row 3; the 4 rows after it are left out.',
    )
    const whole = xlsx([{ name: 'S', inner: `<sheetData>${[1, 2, 3].map(line).join('')}${empty}</sheetData>` }])
    expect((await small.read(whole)).warning).toBe('')
  })

  test('counts rows that do not say their number', async () => {
    const cut = xlsx([{ name: 'S', inner: `<sheetData>${'<row><c><v>7</v></c></row>'.repeat(9)}</sheetData>` }])
    expect((await small.read(cut)).warning).toBe(
      'The sheet "S" is shown up to row 3; the 6 rows after it are left out.',
    )
  })

  test('is cut by its cells too', { tags: ['long'] }, async () => {
    const wide = rows(
      ...Array.from(
        { length: 5 },
        () =>
          [
            ['A', 'a'],
            ['B', 'b'],
            ['C', 'c'],
          ] as const,
      ),
    )
    const { markdown, warning } = await few.read(xlsx([{ name: 'S', inner: wide }]))
    expect(markdown).toBe('## S\n\n| a | b | c |\n| --- | --- | --- |\n| a |  |  |')
    expect(warning).toBe('The sheet "S" is shown up to row 2; the 3 rows after it are left out.')
  })
})
