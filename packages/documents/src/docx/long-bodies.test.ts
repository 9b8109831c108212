import { describe, expect, test } from 'vitest'

import { docx, p, relations, wordPart } from '../fixtures/files.ts'
import { fileReader } from '../fixtures/reading.ts'
import { defaultLimits } from '../limits.ts'
import { readDocx } from './docx.ts'

const levels = (format: (level: number) => string): string =>
  Array.from(
    { length: 5 },
    (_, level) => `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format(level)}"/></w:lvl>`,
  ).join('')
const formats = [() => 'decimal', () => 'bullet', (level: number) => (level % 2 === 0 ? 'decimal' : 'bullet')]
const numbering = wordPart(
  'numbering',
  formats.map((format, id) => `<w:abstractNum w:abstractNumId="${id}">${levels(format)}</w:abstractNum>`).join('') +
    formats.map((_, id) => `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`).join(''),
)
const style = (id: string, name: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
const styles = wordPart('styles', style('Q', 'Quote') + style('C', 'HTML Preformatted') + style('H', 'heading 2'))
const footnotes = wordPart(
  'footnotes',
  [1, 2].map((id) => `<w:footnote w:id="${id}">${p('Noted.')}</w:footnote>`).join(''),
)
const parts = {
  'word/numbering.xml': numbering,
  'word/styles.xml': styles,
  'word/footnotes.xml': footnotes,
  'word/_rels/document.xml.rels': relations(
    ['n', 'numbering', 'numbering.xml'],
    ['s', 'styles', 'styles.xml'],
    ['f', 'footnotes', 'footnotes.xml'],
  ),
}

const item = (text: string, level: number, list: number): string =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
const styled = (text: string, id: string): string => p(text, `<w:pStyle w:val="${id}"/>`)
const run = (inner: string): string => `<w:p><w:r>${inner}</w:r></w:p>`
const field = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`)
const link = run('<w:instrText> HYPERLINK "https://site.test/" </w:instrText>')

const htmlOf = async (body: string, piece: number): Promise<string> =>
  (await readDocx(docx(body, parts), { limits: defaultLimits, warn: () => undefined }, piece)).html

/** Reads a body whole, and cut wherever it can be. */
async function expectSame(body: string): Promise<string> {
  const whole = await htmlOf(body, Infinity)
  // The other parts of these files have fewer elements than that.
  const h = await htmlOf(body, 1)
  if (h !== whole) {
    let i = 0
    while (h[i] === whole[i]) i++
  }
  expect(await htmlOf(body, 1)).toBe(whole)
  return whole
}

const long = (make: (index: number) => string): string =>
  Array.from({ length: 150 }, (_, index) => make(index)).join('')

describe('a body that is read in pieces is the same as one that is read whole:', () => {
  test('numbered paragraphs are one list', async () => {
    const html = await expectSame(long((index) => item(String(index), 0, 1)))
    expect(html.match(/<ol>/g)).toHaveLength(1)
  })

  test('items deep inside each other stay in the lists around them', { tags: ['long'] }, async () => {
    for (const list of [1, 2, 3])
      await expectSame(long((index) => item(String(index), Math.trunc(index / 3) % 5, list)))
    await expectSame(long((index) => item(String(index), 2, 3)))
    await expectSame(long((index) => item(String(index), (index * 7) % 4, 1 + ((index * 5) % 3))))
  })

  test('quotes and lines of code', { tags: ['long'] }, async () => {
    await expectSame(long((index) => styled(String(index), 'Q')) + long((index) => styled(String(index), 'C')))
    await expectSame(long((index) => styled(String(index), ['Q', 'C', 'H'][index % 3] ?? 'H')))
  })

  test('notes are numbered through and stand at the end', { tags: ['long'] }, async () => {
    const noted = (id: number): string => run(`<w:t>noted</w:t><w:footnoteReference w:id="${id}"/>`)
    const text = long((index) => item(String(index), 0, 1))
    const html = await expectSame(text + noted(1) + text + noted(2) + text + p('end'))
    expect(html).toMatch(/\[1\].*\[2\].*<p>end<\/p><ol><li id="note-footnote-1">/s)
  })

  test('a field that goes over many paragraphs', async () => {
    const text = long((index) => p(String(index)))
    await expectSame(text + field('begin') + link + field('separate') + text + field('end') + text)
  })

  test('empty paragraphs between items', async () => {
    await expectSame(long((index) => (index % 3 === 0 ? item('', index % 2, 1) : item(String(index), index % 2, 1))))
  })
})

test('as many numbered paragraphs as the limit allows take little memory', { tags: ['long'] }, async () => {
  const reader = fileReader({ megabytes: 256, budget: 240_000 })
  const body = Array.from({ length: 49_000 }, (_, index) => item(String(index), 0, 1)).join('')
  const { markdown } = await reader.read(docx(body, parts))
  expect(markdown.match(/^\d+\. \d+$/gm)).toHaveLength(49_000)
  await reader.close()
})
