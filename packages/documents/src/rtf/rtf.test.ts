import { afterAll, describe, expect, test } from 'vitest'

import { fileReader } from '../fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

const rtf = (body: string, head = ''): Uint8Array =>
  Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\uc1${head}\\pard ${body}\\par}`, 'latin1')
const styles =
  "{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2\\outlinelevel1 \\u220\\'dcberschrift 2;}{\\s3 Quotations;}{\\s4 HTML Preformatted;}}"
const fonts = '{\\fonttbl{\\f0\\fcharset0 Times;}{\\f1\\fcharset204 Times Cyr;}{\\f2\\fcharset128 MS Mincho;}}'
const cells = (...texts: readonly string[]): string =>
  `${texts.map((text) => `\\pard\\intbl ${text}\\cell`).join('')}\\row `
const edges = (...rights: readonly number[]): string => `\\trowd${rights.map((right) => `\\cellx${right}`).join('')} `

const cases = [
  {
    name: 'marks hold inside their group',
    body: 'a {\\b bold {\\i both}} plain\\super 2\\nosupersub\\strike  gone\\strike0  .',
    markdown: 'a **bold** **_both_** plain<sup>2</sup> ~~gone~~ .',
  },
  {
    name: 'letters outside the code page, with what stands for them',
    body: "caf\\'e9 \\u1055?\\u1088?\\u1080?\\u1074?\\u1077?\\u1090? \\u-10179?\\u-8704? \\uc2\\u8364 ??x",
    markdown: 'café Привет 😀 €x',
  },
  {
    name: 'letters by the code page of the font',
    head: fonts,
    body: "{\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} {\\f2 \\'93\\'fa\\'96\\'7b}",
    markdown: 'Привет 日本',
  },
  {
    name: 'signs that have words',
    body: 'a\\emdash b\\~c\\tab d \\{x\\} \\lquote q\\rquote',
    markdown: 'a—b\u00a0c d {x} ‘q’',
  },
  {
    name: 'headings by the outline of their style in any language',
    head: styles,
    body: '\\s1 One\\par\\pard\\s2 Two\\par\\pard\\outlinelevel3 Four\\par\\pard text',
    markdown: '# One\n\n## Two\n\n#### Four\n\ntext',
  },
  {
    name: 'quotes and code by the name of their style',
    head: styles,
    body: '\\s3 Quote\\par\\pard\\s4 a\\par\\pard\\s4   b\\par\\pard x',
    markdown: '> Quote\n\n```\na\n  b\n```\n\nx',
  },
  {
    name: 'lists as they are shown',
    body: "{\\listtext\\'b7\\tab}\\ls1 a\\par{\\listtext\\'b7\\tab}\\ls1\\ilvl1 b\\par\\pard x\\par{\\listtext 3.\\tab}\\ls2 c\\par{\\listtext 4.\\tab}\\ls2 d",
    markdown: '- a\n  - b\n\nx\n\n3. c\n4. d',
  },
  {
    name: 'tables with a head and cells over columns and rows',
    body: `${edges(1000, 2000)}\\trhdr ${cells('A', 'B')}${edges(2000)}${cells('wide')}\\trowd\\clvmgf\\cellx1000\\cellx2000 ${cells('tall', '1')}\\trowd\\clvmrg\\cellx1000\\cellx2000 ${cells('', '2')}\\pard after`,
    markdown:
      '<table>\n<tr><th>A</th><th>B</th></tr>\n<tr><td colspan="2">wide</td></tr>\n<tr><td rowspan="2">tall</td><td>1</td></tr>\n<tr><td>2</td></tr>\n</table>\n\nafter',
  },
  {
    name: 'links that lead out, and the text of fields',
    body: '{\\field{\\*\\fldinst HYPERLINK "https://example.com/?a=1&b=2"}{\\fldrslt go}} {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}} {\\field{\\*\\fldinst HYPERLINK "file:///etc/passwd"}{\\fldrslt here}}',
    markdown: '[go](https://example.com/?a=1&b=2) 7 here',
  },
  {
    name: 'notes at the end',
    body: 'Text{\\super\\chftn{\\footnote\\pard {\\super\\chftn} The {\\b note}.}} more',
    markdown: 'Text[^1] more\n\n[^1]: The **note**.',
  },
  {
    name: 'pictures, headers, hidden and deleted text and unknown groups are left out',
    body: 'a{\\pict\\pngblip 89504e47}{\\header H}{\\v secret}{\\deleted old}{\\*\\unknown x{\\b y}}{\\pict\\bin5 }{\\\\}}b',
    markdown: 'ab',
  },
  { name: 'a line ends without a paragraph', body: 'a\\line b', markdown: 'a  \nb' },
]

describe('a file of Rich Text', () => {
  test.each(cases)('has $name', async ({ head, body, markdown }) => {
    expect((await reader.read(rtf(body, head))).markdown).toBe(markdown)
  })

  test('says its title, its author and its times', async () => {
    const info = '{\\info{\\title A {\\b title}}{\\author Ada}{\\creatim\\yr2024\\mo3\\dy5\\hr7\\min9}}'
    const { metadata, markdown } = await reader.read(rtf('x', info), 'application/msword')
    expect(markdown).toBe('x')
    expect(metadata).toMatchObject({ title: 'A title', author: 'Ada', createdTime: '2024-03-05T07:09:00' })
  })

  test('is read to its end when it is cut off', async () => {
    expect((await reader.read(Buffer.from('{\\rtf1 one\\par two {\\b three'))).markdown).toBe('one\n\ntwo **three**')
  })
})

describe('a file that is not whole', () => {
  test('is read with a warning when it was cut off', async () => {
    const whole = rtf('one\\par two {\\b bold} three')
    for (let length = 20; length < whole.length; length += 1) {
      expect((await reader.read(whole.subarray(0, length))).warning).toContain('cut off or damaged')
    }
    expect((await reader.read(whole)).warning).toBe('')
  })

  test('is read with a warning when something follows its end', async () => {
    const { markdown, warning } = await reader.read(Buffer.concat([rtf('one'), rtf('two')]))
    expect(markdown).toContain('one')
    expect(warning).toContain('continues after its end')
    expect((await reader.read(Buffer.concat([rtf('one'), Buffer.from('\r\n\0')]))).warning).toBe('')
  })
})
