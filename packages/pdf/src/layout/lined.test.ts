import { expect, test } from 'vitest'

import { item, page } from '../../test/items.ts'
import type { Face, Rule, TextItem } from '../types.ts'
import { writeHtml } from '../html/write.ts'
import { layOut } from './document.ts'

const rule = (y: number, left = 50, right = 350): Rule => ({ left, right, top: y, bottom: y })
const xs = [50, 150, 250]
const row = (y: number, ...texts: readonly string[]): TextItem[] =>
  texts.flatMap((text, column) => (text === '' ? [] : [item(text, xs[column] ?? 0, y)]))

function read(items: readonly TextItem[], rules: readonly Rule[], number = 1) {
  return layOut([{ ...page(number, items), rules }], { bookmarks: [] })
}
const html = (items: readonly TextItem[], rules: readonly Rule[]): string => writeHtml(read(items, rules))
const tr = (tag: 'th' | 'td', ...texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join('')}</tr>`

const body = [...row(120, 'Opilio', '8', 'forest'), ...row(132, 'Mitopus', '8', 'hills')]

test('text between horizontal lines is a table, with the first line of text as its head', () => {
  const items = [...row(104, 'Name', 'Legs', 'Place'), ...body]
  const read = `<table>${tr('th', 'Name', 'Legs', 'Place')}${tr('td', 'Opilio', '8', 'forest')}${tr('td', 'Mitopus', '8', 'hills')}</table>`
  expect(html(items, [rule(94), rule(108), rule(136)])).toBe(read)
})

test('a line of text that would not have fitted above continues its cell', () => {
  const items = [...row(104, 'Name', 'Place'), ...row(120, 'Opilio', 'forests and some'), ...row(132, '', 'gardens')]
  const more = row(144, 'Mitopus', 'hills')
  expect(html([...items, ...more], [rule(94), rule(108), rule(148)])).toContain(
    `${tr('td', 'Opilio', 'forests and some gardens')}${tr('td', 'Mitopus', 'hills')}`,
  )
})

test('a short line below a head groups the columns above which it is', () => {
  const items = [...row(104, 'Name', 'Size'), ...row(118, '', 'width', 'height'), ...row(134, 'Opilio', '3', '6')]
  const rules = [rule(94), rule(107, 145, 350), rule(122), rule(160)]
  expect(html([...items, ...row(148, 'Mitopus', '4', '8')], rules)).toContain(
    `<tr><th rowspan="2">Name</th><th colspan="2">Size</th></tr>${tr('th', 'width', 'height')}`,
  )
})

test('a line that does not reach below a cell lets it span the next row', () => {
  const items = [
    ...row(104, 'Family', 'Name', 'Place'),
    ...row(120, 'Phalangiidae', 'Opilio', 'forest'),
    ...row(136, '', 'Mitopus', 'hills'),
    ...row(152, 'Sabaconidae', 'Sabacon', 'caves'),
  ]
  const rules = [rule(94), rule(108), rule(124, 140, 350), rule(140), rule(156)]
  expect(html(items, rules)).toContain(`<tr><td rowspan="2">Phalangiidae</td><td>Opilio</td><td>forest</td></tr>`)
})

test('the row above coloured rows is the head of their table', () => {
  const items = [...row(104, 'Name', 'Legs', 'Place'), ...body, ...row(144, 'Sabacon', '8', 'caves')]
  expect(html(items, [rule(111), rule(123), rule(135), rule(147)])).toContain(
    `<table>${tr('th', 'Name', 'Legs', 'Place')}${tr('td', 'Opilio', '8', 'forest')}`,
  )
})

test('a table whose last line is on the next page reaches to the end of its rows', () => {
  const items = [...row(104, 'Name', 'Legs', 'Place'), ...body]
  expect(html(items, [rule(94), rule(108)])).toContain(`${tr('td', 'Mitopus', '8', 'hills')}</table>`)
})

test('prose beside a table, and a caption below it, are not part of it', () => {
  const prose = [120, 132].map((y) => item('some words of a paragraph', 370, y))
  const caption = row(148, 'Table 1', 'Harvestmen')
  const items = [...row(104, 'Name', 'Legs', 'Place'), ...body, ...caption, ...prose]
  const table = read(items, [rule(94), rule(108), rule(136)]).find(({ kind }) => kind === 'table')
  expect(writeHtml(table ? [table] : [])).toBe(
    `<table>${tr('th', 'Name', 'Legs', 'Place')}${tr('td', 'Opilio', '8', 'forest')}${tr('td', 'Mitopus', '8', 'hills')}</table>`,
  )
})

test('code in a frame and prose between lines are not tables', () => {
  const mono: Face = { name: 'Mono', bold: false, italic: false, mono: true }
  const code = [104, 116, 128].flatMap((y) => row(y, 'let a', '= 1', '// one').map((each) => ({ ...each, face: mono })))
  expect(html(code, [rule(94), rule(132)])).not.toContain('<table>')
  const prose = Array.from({ length: 8 }, (_, line) => [
    item('words of a column of prose that is read', 50, 104 + line * 12),
    item('words of another column that comes later', 300, 104 + line * 12),
  ]).flat()
  expect(html(prose, [rule(94, 50, 500), rule(196, 50, 500)])).not.toContain('<table>')
})

test('a page of very many lines and runs is read in bounded time', () => {
  const items = Array.from({ length: 20_000 }, (_, at) => item('word', (at % 20) * 30, 20 + Math.floor(at / 20) * 0.7))
  const rules = Array.from({ length: 5_000 }, (_, at) => rule(20 + (at % 700), at % 40, 300 + (at % 50)))
  expect(read(items, rules).length).toBeGreaterThan(0)
})
