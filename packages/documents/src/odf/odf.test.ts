import { afterAll, describe, expect, test } from 'vitest'

import { odf, odfMeta } from '../fixtures/files.ts'
import { fileReader } from '../fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

const p = (text: string, style = ''): string => `<text:p${style && ` text:style-name="${style}"`}>${text}</text:p>`
const styles =
  '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>' +
  '<style:style style:name="I" style:family="text" style:parent-style-name="B"><style:text-properties fo:font-style="italic" fo:font-weight="normal"/></style:style>' +
  '<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>' +
  '<style:style style:name="Code" style:family="paragraph" style:display-name="Preformatted Text"/>' +
  '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Code"/>' +
  '<style:style style:name="Heading_20_3" style:family="paragraph"/>' +
  '<style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>' +
  '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>' +
  '<text:list-style style:name="U"><text:list-level-style-bullet text:level="1"/><text:list-level-style-number text:level="2" style:num-format="a"/></text:list-style>'
const list = (style: string, ...items: readonly string[]): string =>
  `<text:list text:style-name="${style}">${items.map((item) => `<text:list-item>${item}</text:list-item>`).join('')}</text:list>`
const inner = (...items: readonly string[]): string =>
  `<text:list>${items.map((item) => `<text:list-item>${item}</text:list-item>`).join('')}</text:list>`

const cases = [
  {
    name: 'headings have the level of their outline, or of their style',
    body:
      '<text:h text:outline-level="2">Two</text:h><text:h text:outline-level="9">Deep</text:h>' +
      p('Three', 'Heading_20_3'),
    markdown: ['## Two', '', '###### Deep', '', '### Three'],
  },
  {
    name: 'marks come from styles and from what those are based on',
    body: p(
      'a <text:span text:style-name="B">b</text:span> <text:span text:style-name="I">i</text:span><text:span text:style-name="Up">2</text:span>',
    ),
    markdown: ['a **b** _i_<sup>2</sup>'],
  },
  {
    name: 'blanks, tabs and breaks are said by elements',
    body: p('a   b<text:s text:c="2"/>c<text:line-break/>d'),
    markdown: ['a b c  ', 'd'],
  },
  {
    name: 'lists in lists, of one kind and the other',
    body: list('U', p('a') + inner(p('x'), p('y')), p('b')),
    markdown: ['- a', '  1. x', '  2. y', '- b'],
  },
  {
    name: 'an item that only holds a list is no item',
    body: list('U', p('a')) + list('U', inner(p('deep'))),
    markdown: ['- a', '  1. deep'],
  },
  {
    name: 'a numbered list that goes on has the next number',
    body:
      list('N', p('a'), p('b')) +
      p('between') +
      list('N', p('c')).replace('<text:list ', '<text:list text:continue-numbering="true" '),
    markdown: ['1. a', '2. b', '', 'between', '', '3. c'],
  },
  {
    name: 'numbered headings are headings',
    body: list('N', '<text:h text:outline-level="1">One</text:h>', '<text:h text:outline-level="1">Two</text:h>'),
    markdown: ['# One', '', '# Two'],
  },
  {
    name: 'tables have a head when they say so, and cells over rows and columns',
    body: `<table:table><table:table-header-rows><table:table-row><table:table-cell>${p('A')}</table:table-cell><table:table-cell>${p('B')}</table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2">${p('wide')}${p('two')}</table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell table:number-rows-spanned="2">${p('tall')}</table:table-cell><table:table-cell>${p('1')}</table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell>${p('2')}</table:table-cell></table:table-row></table:table>`,
    markdown: [
      '<table>',
      '<tr><th>A</th><th>B</th></tr>',
      '<tr><td colspan="2">wide<br>two</td></tr>',
      '<tr><td rowspan="2">tall</td><td>1</td></tr>',
      '<tr><td>2</td></tr>',
      '</table>',
    ],
  },
  {
    name: 'notes stand at the end, links lead out only',
    body: p(
      'T<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>N</text:p></text:note-body></text:note> <text:a xlink:href="https://example.com/">out</text:a> <text:a xlink:href="#x">in</text:a> <text:a xlink:href="file:///etc/passwd">here</text:a>',
    ),
    markdown: ['T[^1] [out](https://example.com/) in here', '', '[^1]: N'],
  },
  {
    name: 'what was deleted and what was remarked are left out',
    body: `<text:tracked-changes><text:changed-region><text:deletion>${p('old')}</text:deletion></text:changed-region></text:tracked-changes>${p('a<office:annotation><text:p>remark</text:p></office:annotation><text:change-start/>new<text:change-end/>')}`,
    markdown: ['anew'],
  },
  {
    name: 'lines of code are one block',
    body: p('one', 'P1') + p('<text:s text:c="2"/>two', 'P1'),
    markdown: ['```', 'one', '  two', '```'],
  },
  {
    name: 'text boxes stand after their paragraph, and pictures are their description',
    body: p(
      'a<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame>b<draw:frame><draw:image xlink:href="p.png"/><svg:desc>A cat</svg:desc></draw:frame>',
    ),
    markdown: ['ab(Image: A cat)', '', 'box'],
  },
]

describe('a text of OpenDocument', () => {
  test.each(cases)('$name', async ({ body, markdown }) => {
    expect((await reader.read(odf('text', body, styles))).markdown).toBe(markdown.join('\n'))
  })

  test('says what it knows about itself', async () => {
    const meta = odfMeta(
      '<dc:title>T</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:language>fr-FR</dc:language><meta:keyword>a</meta:keyword><meta:keyword>b</meta:keyword><meta:document-statistic meta:page-count="3"/>',
    )
    const { metadata } = await reader.read(odf('text', p('x'), '', { 'meta.xml': meta }))
    expect(metadata).toMatchObject({ title: 'T', author: 'Ada', language: 'fr-FR', keywords: 'a, b', numPages: 3 })
  })

  test('has formulas as MathML in parts of their own', async () => {
    const formula =
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding="StarMath 5.0">x^2</annotation></semantics></math>'
    const body = p('a <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>')
    expect((await reader.read(odf('text', body, '', { 'Object 1/content.xml': formula }))).markdown).toBe('a $x^2$')
  })
})

const frame = (kind: string, text: string): string =>
  `<draw:frame presentation:class="${kind}"><draw:text-box>${text}</draw:text-box></draw:frame>`
const page = (content: string, style = ''): string => `<draw:page draw:style-name="${style}">${content}</draw:page>`

describe('a presentation of OpenDocument', () => {
  test('has a heading for each slide, its lists, and what is noted', async () => {
    const notes = `<presentation:notes><draw:page-thumbnail/>${frame('notes', p('Say hello.'))}</presentation:notes>`
    const first = page(
      frame('outline', list('U', p('a') + inner(p('b')))) +
        frame('title', p('First')) +
        frame('footer', p('every page')) +
        notes,
    )
    const second = page(frame('subtitle', p('No title')))
    const { markdown, metadata } = await reader.read(odf('presentation', first + second, styles))
    expect(markdown).toBe('## First\n\n- a\n  1. b\n\n### Notes\n\nSay hello.\n\n## Slide 2\n\nNo title')
    expect(metadata).toMatchObject({ numSlides: 2 })
  })

  test('leaves hidden slides out and says so', async () => {
    const { markdown, warning } = await reader.read(
      odf('presentation', page(frame('title', p('A'))) + page(frame('title', p('B')), 'hidden'), styles),
    )
    expect(markdown).toBe('## A')
    expect(warning).toBe('Slide 2 is hidden, so it is left out.')
  })

  test('has its tables where they stand', async () => {
    const grid = `<draw:frame><table:table><table:table-row><table:table-cell>${p('A')}</table:table-cell><table:table-cell>${p('B')}</table:table-cell></table:table-row></table:table></draw:frame>`
    expect((await reader.read(odf('presentation', page(frame('title', p('T')) + grid), styles))).markdown).toBe(
      '## T\n\n|  |  |\n| --- | --- |\n| A | B |',
    )
  })
})
