// @module-tag long
// Small files that say one thing very often: the work is bounded by what they hold, and what is left out is said.
import { afterAll, describe, expect, test } from 'vitest'

import {
  docx,
  epub,
  odf,
  p,
  pptx,
  relations,
  shape,
  sheetParts,
  slidePart,
  wordPart,
  xlsx,
  rows,
  ap,
} from './fixtures/files.ts'
import { fileReader } from './fixtures/reading.ts'

const reader = fileReader({ budget: 60_000 })
const few = fileReader({ limits: { paragraphs: 5 } })
const narrow = fileReader({ limits: { cells: 12, rows: 4 } })
afterAll(() => Promise.all([reader.close(), few.close(), narrow.close()]))

const lines = Array.from({ length: 8 }, (_, index) => `line ${index}`)

describe('a file with more paragraphs than the limit', () => {
  test.each([
    ['docx', docx(lines.map((line) => p(line)).join(''))],
    ['odt', odf('text', lines.map((line) => `<text:p>${line}</text:p>`).join(''))],
    ['pptx', pptx([slidePart(shape('', lines.map((line) => ap(line)).join('')))])],
    ['epub', epub([{ name: 'one', body: lines.map((line) => `<p>${line}</p>`).join('') }])],
  ])('is read up to it, and says so: %s', async (_, bytes) => {
    const { markdown, warning } = await few.read(bytes)
    expect(markdown).toContain('line 4')
    expect(markdown).not.toContain('line 5')
    expect(warning).toBe(
      'The file has more than 5 paragraphs; the rest is left out. Raise limits.paragraphs of documents() to read it.',
    )
    expect((await reader.read(bytes)).markdown).toContain('line 7')
  })

  test('is not read further, however many numbered paragraphs follow', { tags: ['long'] }, async () => {
    const item = (index: number): string => p(`${index}`, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
    const long = docx(Array.from({ length: 100_000 }, (_, index) => item(index)).join(''))
    const { markdown, warning } = await few.read(long)
    expect(markdown).toContain('4')
    expect(markdown).not.toContain('5')
    expect(warning).toContain('more than 5 paragraphs')
  })
})

describe('a part that a file names very often is read once:', () => {
  const often = 20_000

  test('a chapter of a book', async () => {
    const body = 'word '.repeat(2_000)
    const book = epub([{ name: 'one', body: `<p>${body}</p>` }], '', {
      'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${'<itemref idref="one"/>'.repeat(often)}</spine></package>`,
    })
    const { markdown, warning, metadata } = await reader.read(book)
    expect(markdown).toBe(body.trim())
    expect(metadata['numChapters']).toBe(1)
    expect(warning).toBe('The book lists chapters again that it listed before; 19999 repeats are left out.')
  })

  test('a slide', async () => {
    const ids = '<p:sldId id="256" r:id="s0"/>'.repeat(often)
    const deck = pptx([slidePart(shape('', ap('text')))], {
      'ppt/presentation.xml': `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    })
    const { markdown, warning } = await reader.read(deck)
    expect(markdown).toBe('## Slide 1\n\ntext')
    expect(warning).toContain('19999 are left out')
  })

  test('a sheet', async () => {
    const sheets = Array.from({ length: often }, (_, index) => `<sheet name="S${index}" r:id="s1"/>`).join('')
    const book = xlsx([{ name: 'S', inner: rows([['A', 'a']]) }], {
      'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets}</sheets></workbook>`,
    })
    const { markdown, warning } = await reader.read(book)
    expect(markdown).toContain('| a |')
    expect(warning).toContain('19999 are left out')
  })

  test('a note', async () => {
    const reference = '<w:p><w:r><w:t>x</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    const note = docx(reference.repeat(2_000), {
      'word/footnotes.xml': wordPart('footnotes', `<w:footnote w:id="2">${p('word '.repeat(2_000))}</w:footnote>`),
      'word/_rels/document.xml.rels': relations(['f', 'footnotes', 'footnotes.xml']),
    })
    expect((await reader.read(note)).markdown.length).toBeLessThan(50_000)
  })
})

describe('cells and rows that an OpenDocument repeats', () => {
  const cell = (text: string, columns: number): string =>
    `<table:table-cell office:value-type="string" table:number-columns-repeated="${columns}"><text:p>${text}</text:p></table:table-cell>`
  const sheet = (inner: string): Uint8Array =>
    odf('spreadsheet', `<table:table table:name="S">${inner}</table:table>`, '', sheetParts)
  const row = (times: number, inner: string): string =>
    `<table:table-row table:number-rows-repeated="${times}">${inner}</table:table-row>`

  test('are there as often as they say', async () => {
    const { markdown, warning } = await reader.read(sheet(row(2, cell('a', 3)) + row(1, cell('b', 1))))
    expect(markdown).toBe('## S\n\n| a | a | a |\n| --- | --- | --- |\n| a | a | a |\n| b |  |  |')
    expect(warning).toBe('')
  })

  test(
    'are made up to the limits, and the rest is said to be missing',
    { tags: ['long'], timeout: 60_000 },
    async () => {
      const { markdown, warning } = await narrow.read(sheet(row(1_000_000_000, cell('a', 3))))
      expect(markdown).toBe(`## S\n\n| a | a | a |\n| --- | --- | --- |${'\n| a | a | a |'.repeat(3)}`)
      expect(warning).toContain('The workbook repeats cells to more than 12, or rows to more than 4')
      expect((await reader.read(sheet(row(1_000_000_000, cell('a', 1_000_000_000))))).warning).toContain('is left out')
    },
  )
})

test('very many warnings are cut, and counted', async () => {
  const items = Array.from(
    { length: 100 },
    (_, i) => `<item id="i${i}" href="${i}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const refs = Array.from({ length: 100 }, (_, i) => `<itemref idref="i${i}"/>`)
  const { warning } = await reader.read(
    epub([{ name: 'one', body: '<p>text</p>' }], '', {
      'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><manifest>${items.join('')}</manifest><spine>${refs.join('')}</spine></package>`,
    }),
  )
  expect(warning).toContain('80 more warnings are left out.')
})
