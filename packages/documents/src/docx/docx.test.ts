import { afterAll, describe, expect, test } from 'vitest'

import { docx, p, relations, wordPart } from '../fixtures/files.ts'
import { fileReader } from '../fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

const numbering = wordPart(
  'numbering',
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>' +
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>' +
    '<w:abstractNum w:abstractNumId="1">' +
    Array.from({ length: 9 }, (_, i) => `<w:lvl w:ilvl="${i}"><w:numFmt w:val="bullet"/></w:lvl>`).join('') +
    '</w:abstractNum>' +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>',
)
const styles = wordPart(
  'styles',
  '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>' +
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
    '<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>' +
    '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>' +
    '<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>',
)
const more = { 'word/numbering.xml': numbering, 'word/styles.xml': styles }
const styled = (id: string): string => `<w:pStyle w:val="${id}"/>`
const item = (list: number, level: number): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`
const run = (text: string, look = ''): string =>
  `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const math = (inner: string): string => `<w:p><m:oMath>${inner}</m:oMath></w:p>`
const mr = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
const cell = (inner: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${inner}</w:tc>`
const row = (...cells: readonly string[]): string => `<w:tr>${cells.join('')}</w:tr>`
const firstRow = '<w:tblPr><w:tblLook w:val="04A0"/></w:tblPr>'

interface Case {
  readonly name: string
  readonly body: string
  readonly markdown: readonly string[]
}

const cases: readonly Case[] = [
  {
    name: 'headings are found by the name of their style in any language, by what it is based on, and by its outline',
    body:
      p('A', styled('berschrift1')) +
      p('B', styled('Kapitel')) +
      p('C', styled('Own')) +
      p('D', '<w:outlineLvl w:val="1"/>'),
    markdown: ['# A', '', '# B', '', '### C', '', '## D'],
  },
  {
    name: 'a style that is based on itself is a style like others',
    body: p('A', styled('Loop')),
    markdown: ['A'],
  },
  {
    name: 'lists of nine levels are nested',
    body: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((level) => p(`l${level}`, item(2, level))).join(''),
    markdown: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((level) => `${'  '.repeat(level)}- l${level}`),
  },
  {
    name: 'a numbered list goes on after a paragraph, and another starts where it says',
    body:
      p('a', item(1, 0)) +
      p('a1', item(1, 1)) +
      p('between') +
      p('b', item(1, 0)) +
      p('x') +
      p('c', item(3, 0)) +
      p('d', item(3, 0)),
    markdown: ['1. a', '   1. a1', '', 'between', '', '2. b', '', 'x', '', '7. c', '8. d'],
  },
  {
    name: 'bold, italic, struck, raised and lowered letters',
    body: `<w:p>${run('b', '<w:b/>')}${run(' ')}${run('i', '<w:i/>')}${run(' ')}${run('s', '<w:strike/>')}${run(' x')}${run('2', '<w:vertAlign w:val="superscript"/>')}${run(' H')}${run('2', '<w:position w:val="-6"/><w:sz w:val="16"/>')}${run('O', '<w:b w:val="0"/>')}</w:p>`,
    markdown: ['**b** _i_ ~~s~~ x<sup>2</sup> H<sub>2</sub>O'],
  },
  {
    name: 'a table with a first row that looks different, with cells over columns and rows',
    body: `<w:tbl>${firstRow}${row(cell(p('A')), cell(p('B')))}${row(cell(p('wide'), '<w:gridSpan w:val="2"/>'))}${row(cell(p('tall'), '<w:vMerge w:val="restart"/>'), cell(p('1')))}${row(cell(p(''), '<w:vMerge/>'), cell(p('2')))}</w:tbl>`,
    markdown: [
      '<table>',
      '<tr><th>A</th><th>B</th></tr>',
      '<tr><td colspan="2">wide</td></tr>',
      '<tr><td rowspan="2">tall</td><td>1</td></tr>',
      '<tr><td>2</td></tr>',
      '</table>',
    ],
  },
  {
    name: 'a table that says nothing of its first row has no head',
    body: `<w:tbl>${row(cell(p('A')), cell(p('B')))}${row(cell(p('1')), cell(p('2') + p('3')))}</w:tbl>`,
    markdown: ['|  |  |', '| --- | --- |', '| A | B |', '| 1 | 2<br>3 |'],
  },
  {
    name: 'what was inserted is kept; what was deleted or moved away, and comments, are left out',
    body: `<w:p>${run('a ')}<w:ins w:id="1">${run('new ')}</w:ins><w:del w:id="2"><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom w:id="3">${run('gone')}</w:moveFrom><w:moveTo w:id="4">${run('here')}</w:moveTo><w:r><w:commentReference w:id="0"/></w:r></w:p>`,
    markdown: ['a new here'],
  },
  {
    name: 'formulas become TeX',
    body: [
      math(`<m:f><m:num>${mr('a')}</m:num><m:den>${mr('b')}</m:den></m:f>`),
      math(`<m:sSup><m:e>${mr('x')}</m:e><m:sup>${mr('2')}</m:sup></m:sSup>${mr('≤')}${mr('α')}`),
      math(`<m:rad><m:deg>${mr('3')}</m:deg><m:e>${mr('x')}</m:e></m:rad>`),
      math(
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${mr('i=1')}</m:sub><m:sup>${mr('n')}</m:sup><m:e>${mr('i')}</m:e></m:nary>`,
      ),
      math(`<m:func><m:fName>${mr('sin')}</m:fName><m:e><m:d><m:e>${mr('x')}</m:e></m:d></m:e></m:func>`),
      math(
        `<m:m><m:mr><m:e>${mr('1')}</m:e><m:e>${mr('0')}</m:e></m:mr><m:mr><m:e>${mr('0')}</m:e><m:e>${mr('1')}</m:e></m:mr></m:m>`,
      ),
    ].join(''),
    markdown: [
      '$\\frac{a}{b}$',
      '',
      '$x^{2}\\leq \\alpha$',
      '',
      '$\\sqrt[3]{x}$',
      '',
      '$\\sum_{i=1}^{n} i$',
      '',
      '$\\sin \\left(x\\right)$',
      '',
      '$\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}$',
    ],
  },
  {
    name: 'signs of a formula that are named like members of every object are text',
    body: math(
      `<m:d><m:dPr><m:begChr m:val="constructor"/><m:endChr m:val="toString"/></m:dPr><m:e>${mr('x')}</m:e></m:d>` +
        `<m:acc><m:accPr><m:chr m:val="valueOf"/></m:accPr><m:e>${mr('y')}</m:e></m:acc>`,
    ),
    markdown: ['$\\leftconstructorx\\righttoString\\hat{y}$'],
  },
  {
    name: 'a displayed formula is a block, and its signs are not taken for HTML',
    body: `<w:p><m:oMathPara><m:oMath>${mr('a&lt;b&amp;c')}</m:oMath></m:oMathPara></w:p>`,
    markdown: ['$$a<b\\&c$$'],
  },
  {
    name: 'the words of a text box stand once',
    body: `<w:p>${run('around')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:txbx><w:txbxContent>${p('boxed')}</w:txbxContent></wps:txbx></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${p('boxed')}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    markdown: ['around', '', 'boxed'],
  },
  {
    name: 'the words of a text box stand there too when only new programs are served',
    body: `<w:p>${run('around')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:txbx><w:txbxContent>${p('boxed')}</w:txbxContent></wps:txbx></wp:anchor></w:drawing></mc:Choice></mc:AlternateContent></w:r></w:p>`,
    markdown: ['around', '', 'boxed'],
  },
  {
    name: 'a picture is its description',
    body: '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A &quot;cat&quot; &lt;here&gt;"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="r9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>',
    markdown: ['(Image: A "cat" \\<here>)'],
  },
  {
    name: 'our marks cannot be written into a document',
    body: p('a\ufdd0Mx^2\ufdd1b&#xFDD0;N5&#64977;c'),
    markdown: ['aMx^2bN5c'],
  },
]

describe('a Word document', () => {
  test.each(cases)('$name', async ({ body, markdown }) => {
    expect((await reader.read(docx(body, more))).markdown).toBe(markdown.join('\n'))
  })

  test('shows links that lead out, and the text of others', async () => {
    const body = `<w:p><w:hyperlink r:id="h1">${run('out')}</w:hyperlink>${run(' ')}<w:hyperlink r:id="h2">${run('file')}</w:hyperlink>${run(' ')}<w:hyperlink w:anchor="_Toc1">${run('inside')}</w:hyperlink></w:p>`
    const links = relations(
      ['h1', 'hyperlink', 'https://example.com/?a=1&amp;b=2', 'External'],
      ['h2', 'hyperlink', 'file:///etc/passwd', 'External'],
    )
    const lost = `<w:p><w:hyperlink r:id="nowhere">${run('lost')}</w:hyperlink></w:p>`
    const { markdown } = await reader.read(docx(body + lost, { 'word/_rels/document.xml.rels': links }))
    expect(markdown).toBe('[out](https://example.com/?a=1&b=2) file inside\n\nlost')
  })

  test('has its notes at the end', async () => {
    const body = `<w:p>${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' more')}</w:p>`
    const notes = wordPart('footnotes', `<w:footnote w:id="2">${p('The note.')}</w:footnote>`)
    const { markdown } = await reader.read(docx(body, { 'word/footnotes.xml': notes }))
    expect(markdown).toBe('Text[^1] more\n\n[^1]: The note.')
  })

  test('says its title, its author, its times, its language and its pages', async () => {
    const core =
      '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>T &amp; U</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2024-01-02T03:04:05Z</dcterms:created></cp:coreProperties>'
    const app =
      '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Pages>12</Pages></Properties>'
    const { metadata } = await reader.read(
      docx(p('x'), { ...more, 'docProps/core.xml': core, 'docProps/app.xml': app }),
    )
    expect(metadata).toMatchObject({
      title: 'T & U',
      author: 'Ada',
      createdTime: '2024-01-02T03:04:05Z',
      language: 'de-DE',
      numPages: 12,
    })
  })

  test('is read when its namespaces have other prefixes, and when it is of the strict kind', async () => {
    const strict =
      '<n:document xmlns:n="http://purl.oclc.org/ooxml/wordprocessingml/main"><n:body><n:p><n:r><n:t>strict</n:t></n:r></n:p></n:body></n:document>'
    expect((await reader.read(docx('', { 'word/document.xml': strict }))).markdown).toBe('strict')
  })
})
