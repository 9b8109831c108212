import { expect, test } from 'vitest'

import type { Block, Box } from '../types.ts'
import { writeHtml } from '../html/write.ts'
import { joinTables } from './continued.ts'

const place: Box = { left: 50, right: 350, top: 100, bottom: 700 }

function table(page: number, rows: readonly (readonly string[])[], box = place): Block {
  const style = { bold: false, italic: false, mono: false, raised: undefined, link: undefined }
  const cells = rows.map((texts) => texts.map((text) => ({ runs: [{ ...style, text }], colspan: 1, rowspan: 1 })))
  return { kind: 'table', page, box, rows: cells.map((row, at) => ({ cells: row, isHead: at === 0 })) }
}
const read = (...blocks: readonly Block[]): string => writeHtml(joinTables(blocks))
const first = table(1, [['Name'], ['Opilio']])

test('a table that goes on on the next page is one, without its repeated head', () => {
  const whole = '<table><tr><th>Name</th></tr><tr><td>Opilio</td></tr><tr><td>Mitopus</td></tr></table>'
  expect(read(first, table(2, [['Name'], ['Mitopus']], { ...place, right: 300 }))).toBe(whole)
  expect(read(first, table(2, [['Mitopus']]))).toBe(whole)
})

test('a table with other columns, at another place, or not on the next page, is another one', () => {
  const count = (...blocks: readonly Block[]): number => joinTables(blocks).length
  expect(count(first, table(2, [['Mitopus', '8']]))).toBe(2)
  expect(count(first, table(2, [['Mitopus']], { ...place, left: 200 }))).toBe(2)
  expect(count(first, table(1, [['Mitopus']]))).toBe(2)
  expect(count(first, table(3, [['Mitopus']]))).toBe(2)
})
