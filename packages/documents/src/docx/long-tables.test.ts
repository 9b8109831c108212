import { afterAll, describe, expect, test } from 'vitest'

import { docx, p, wordPart } from '../fixtures/files.ts'
import { fileReader } from '../fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

const tc = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`
const tr = (cells: string, properties = ''): string => `<w:tr>${properties}${cells}</w:tr>`
const tbl = (rows: string): string => `<w:tbl><w:tblPr/>${rows}</w:tbl>`
const long = 2_500
const lines = (make: (index: number) => string): string => Array.from({ length: long }, (_, i) => make(i)).join('')

describe('a long table of a Word document', () => {
  test('is one table with all its rows, in its place', { tags: ['long'] }, async () => {
    const head = tr(tc('Name') + tc('Count'), '<w:trPr><w:tblHeader/></w:trPr>')
    const rows = lines((i) => tr(tc(`n${i}`) + tc(String(i))))
    const { markdown } = await reader.read(docx(p('before') + tbl(head + rows) + p('after')))
    const expected = Array.from({ length: long }, (_, i) => `| n${i} | ${i} |`)
    expect(markdown).toBe(['before\n', '| Name | Count |', '| --- | --- |', ...expected, '\nafter'].join('\n'))
  })

  test('is not cut where a cell reaches into the next row', { tags: ['long'] }, async () => {
    const rows = lines((i) => tr(tc(`g${i}`, `<w:vMerge${i % 7 === 0 ? ' w:val="restart"' : ''}/>`) + tc(String(i))))
    const { markdown } = await reader.read(docx(tbl(rows)))
    const spanOf = (i: number): string => (i === long - 1 ? '' : ` rowspan="${Math.min(7, long - i)}"`)
    const group = (i: number): string => (i % 7 === 0 ? `<td${spanOf(i)}>g${i}</td>` : '')
    const expected = Array.from({ length: long }, (_, i) => `<tr>${group(i)}<td>${i}</td></tr>`)
    expect(markdown).toBe(['<table>', ...expected, '</table>'].join('\n'))
  })

  test('keeps its notes', { tags: ['long'] }, async () => {
    const note = (id: number): string =>
      p('noted').replace('</w:p>', `<w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`)
    const rows = `${lines((i) => tr(tc(`r${i}`) + tc('y')))}${tr(`${tc('x')}<w:tc>${note(2)}</w:tc>`)}`
    const notes = `<w:footnote w:id="1">${p('First.')}</w:footnote><w:footnote w:id="2">${p('Second.')}</w:footnote>`
    const { markdown } = await reader.read(
      docx(note(1) + tbl(rows) + p('after'), { 'word/footnotes.xml': wordPart('footnotes', notes) }),
    )
    expect(markdown).toMatch(/^noted\[\^1\]\n/)
    expect(markdown).toMatch(/\| x \| noted\[\^2\] \|\n\nafter\n\n\[\^1\]: First\.\n\n\[\^2\]: Second\.$/)
  })

  test('may stand beside another one', { tags: ['long'] }, async () => {
    const one = (name: string) => tbl(lines((i) => tr(tc(`${name}${i}`) + tc('y'))))
    const { markdown } = await reader.read(docx(one('a') + p('between') + one('b')))
    expect(markdown).toMatch(/\| a2499 \| y \|\n\nbetween\n\n/)
    expect(markdown.match(/^\| b\d+ \| y \|$/gm)).toHaveLength(long)
    expect(markdown.endsWith('| b2499 | y |')).toBe(true)
  })
})
