// Inputs of growing size for each reader: ordinary ones, and those that make a careless reader take quadratic time.
import {
  docx,
  epub,
  odf,
  pptx,
  relations,
  shape,
  sheetParts,
  slidePart,
  stored as storedFile,
  wordPart,
  xlsx,
  zipOf,
} from '../../../packages/documents/src/fixtures/files.ts'
import type { Kind } from '../../../packages/documents/src/kinds.ts'

export interface Growing {
  readonly kind: Kind
  readonly name: string
  readonly make: (count: number) => Uint8Array
  /** Bytes that one more adds to the file, before it is packed. */
  readonly size: number
}

interface Unit {
  readonly name: string
  /** What is repeated. */
  readonly unit: string
  readonly before?: string
  readonly after?: string
}

function units(kind: Kind, wrap: (content: string) => Uint8Array, list: readonly Unit[]): Growing[] {
  return list.map(({ name, unit, before = '', after = '' }) => ({
    kind,
    name,
    size: Buffer.byteLength(unit),
    make: (count) => wrap(before + unit.repeat(count) + after),
  }))
}

/** Packs a file again without compression, whose ratio the readers limit. */
const stored =
  (wrap: (content: string) => Uint8Array) =>
  (content: string): Uint8Array =>
    storedFile(wrap(content))

const text = (content: string): Uint8Array => Buffer.from(content)

/** Text that every format can have, and white space that expressions with two stars read from each of its positions. */
const plain: readonly Unit[] = [
  { name: 'words', unit: 'lorem ipsum dolor ' },
  { name: 'one word', unit: 'abcdefgh' },
  { name: 'spaces', unit: '        ', before: 'a', after: 'b' },
  { name: 'empty lines', unit: '\n\n', before: 'a', after: 'b' },
  { name: 'lines of spaces', unit: ' \n', before: 'a', after: 'b' },
  { name: 'short lines', unit: 'a\n' },
  { name: 'quotes', unit: '"' },
  { name: 'backslashes', unit: '\\' },
  { name: 'open brackets', unit: '[' },
  { name: 'open braces', unit: '{' },
  { name: 'open braces and closed ones', unit: '{}' },
  { name: 'dollars', unit: '$ ' },
  { name: 'stars', unit: '*a ' },
  { name: 'underscores', unit: '_a ' },
  { name: 'backticks', unit: '`a ' },
  { name: 'tilde marks', unit: '~~a ' },
  { name: 'links without an end', unit: '[a](' },
  { name: 'tags without an end', unit: '<a ' },
  { name: 'open tags', unit: '<b>' },
  { name: 'comments without an end', unit: '<!--' },
  { name: 'ampersands', unit: '&' },
  { name: 'entities', unit: '&amp;' },
  { name: 'colons', unit: 'a:' },
  { name: 'semicolons', unit: ';a=b' },
  { name: 'equals signs', unit: '=' },
  { name: 'URLs', unit: 'https://a.test/ ' },
  { name: 'letters that need two code units', unit: '😀' },
]

const header = 'From: a@a.test\nTo: b@b.test\nSubject: Lamp\n'
const parts = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n'
const type = (value: string): string => `${header}MIME-Version: 1.0\nContent-Type: ${value}\n`

const mails: readonly Unit[] = [
  ...plain.map((unit) => ({ ...unit, before: `${header}\n${unit.before ?? ''}` })),
  ...plain.map((unit) => ({
    ...unit,
    name: `HTML: ${unit.name}`,
    before: `${type('text/html')}\n${unit.before ?? ''}`,
  })),
  { name: 'lines of ordinary length', unit: `${'lorem ipsum '.repeat(6)}\n`, before: `${header}\n` },
  {
    name: 'base64',
    unit: `${'QUJD'.repeat(19)}\n`,
    before: `${type('application/pdf')}Content-Transfer-Encoding: base64\n\n`,
  },
  {
    name: 'quoted-printable',
    unit: 'a=C3=A4 =\n',
    before: `${type('text/plain; charset=utf-8')}Content-Transfer-Encoding: quoted-printable\n\n`,
  },
  { name: 'flowed text', unit: 'lorem ipsum \n', before: `${type('text/plain; format=flowed')}\n` },
  { name: 'headers', unit: 'X-A: b\n', before: header },
  { name: 'a folded header', unit: ' b\n', before: `${header}X-A:\n` },
  { name: 'receivers', unit: 'a <a@a.test>, ', before: `${header}Cc: `, after: '\n\na' },
  { name: 'receivers in brackets', unit: '<<', before: `${header}Cc: `, after: '\n\na' },
  { name: 'comments in receivers', unit: '(', before: `${header}Cc: `, after: '\n\na' },
  { name: 'encoded words', unit: '=?utf-8?Q?a?= ', before: `${header}Cc: `, after: '\n\na' },
  { name: 'parts', unit: '--x\nContent-Type: text/plain\n\na\n', before: header + parts, after: '--x--' },
  { name: 'HTML parts', unit: '--x\nContent-Type: text/html\n\n<p>a\n', before: header + parts, after: '--x--' },
  {
    name: 'attachments',
    unit: '--x\nContent-Type: text/csv\nContent-Disposition: attachment\n\na\n',
    before: header + parts,
    after: '--x--',
  },
  { name: 'boundaries without parts', unit: '--x\n', before: header + parts },
]

const xmlUnits = (open: string, close: string): readonly Unit[] => [
  ...plain
    .filter(({ unit }) => !/[<&]/.test(unit))
    .map((unit) => ({
      ...unit,
      name: `text: ${unit.name}`,
      before: open + (unit.before ?? ''),
      after: (unit.after ?? '') + close,
    })),
  { name: 'paragraphs', unit: `${open}abc${close}` },
  { name: 'open tags', unit: open },
  { name: 'tags without an end', unit: '<a ' },
  { name: 'comments without an end', unit: '<!--' },
  { name: 'sections without an end', unit: '<![CDATA[' },
  { name: 'declarations without an end', unit: '<!a [' },
  { name: 'instructions without an end', unit: '<?a ' },
  { name: 'attributes', unit: ' a="b"', before: '<x', after: '>' },
  { name: 'an attribute without a value', unit: 'abcdefgh', before: '<x ', after: '>' },
  { name: 'spaces in a tag', unit: '        ', before: '<x a', after: '>' },
  { name: 'quotes in a tag', unit: '"', before: '<x a=', after: '>' },
  { name: 'ends without a start', unit: '</x>' },
]

const sheetRow = '<row><c t="inlineStr"><is><t>abc</t></is></c><c><v>12</v></c></row>'
const tableRow = '<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>'
const word = (body: string): Uint8Array => docx(body)
const open =
  (kind: string) =>
  (body: string): Uint8Array =>
    odf(kind, body, '', kind === 'spreadsheet' ? sheetParts : {})
const sheetStyles = (content: string): Uint8Array =>
  odf('spreadsheet', `<table:table table:name="S">${tableRow}</table:table>`, content, sheetParts)
const sheet = (inner: string): Uint8Array => xlsx([{ name: 'S', inner }])
const strings = (inner: string): Uint8Array =>
  xlsx([{ name: 'S', inner: '<sheetData><row><c t="s"><v>0</v></c></row></sheetData>' }], {
    'xl/_rels/workbook.xml.rels': relations(
      ['s1', 'worksheet', 'worksheets/sheet1.xml'],
      ['t', 'sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/sharedStrings.xml': `<sst>${inner}</sst>`,
  })
const slide = (paragraphs: string): Uint8Array => pptx([slidePart(shape('', paragraphs))])
const numbering = (inner: string): Uint8Array =>
  docx('<w:p/>', { 'word/numbering.xml': wordPart('numbering', inner), 'word/styles.xml': wordPart('styles', inner) })

const office: readonly Growing[] = [
  ...units('docx', stored(word), [
    ...xmlUnits('<w:p><w:r><w:t>', '</w:t></w:r></w:p>'),
    { name: 'runs', unit: '<w:r><w:t>a</w:t></w:r>', before: '<w:p>', after: '</w:p>' },
    {
      name: 'rows',
      unit: '<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>',
      before: '<w:tbl>',
      after: '</w:tbl>',
    },
    {
      name: 'cells',
      unit: '<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>',
      before: '<w:tbl><w:tr>',
      after: '</w:tr></w:tbl>',
    },
    {
      name: 'merged rows',
      unit: '<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr>',
      before: '<w:tbl>',
      after: '</w:tbl>',
    },
    { name: 'tables', unit: '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>' },
    {
      name: 'links',
      unit: '<w:hyperlink w:anchor="a"><w:r><w:t>a</w:t></w:r></w:hyperlink>',
      before: '<w:p>',
      after: '</w:p>',
    },
    { name: 'bookmarks', unit: '<w:bookmarkStart w:id="1" w:name="a"/>', before: '<w:p>', after: '</w:p>' },
    {
      name: 'fields without an end',
      unit: '<w:r><w:fldChar w:fldCharType="begin"/></w:r>',
      before: '<w:p>',
      after: '</w:p>',
    },
    { name: 'formulas', unit: '<m:oMath><m:r><m:t>a</m:t></m:r></m:oMath>', before: '<w:p>', after: '</w:p>' },
    { name: 'headings', unit: '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>' },
  ]),
  ...units('docx', stored(numbering), [
    { name: 'styles', unit: '<w:style w:styleId="a"/><w:num w:numId="1"/>' },
    { name: 'levels', unit: '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"/></w:abstractNum>' },
  ]),
  ...units('odt', stored(open('text')), [
    ...xmlUnits('<text:p>', '</text:p>'),
    {
      name: 'list items',
      unit: '<text:list-item><text:p>a</text:p></text:list-item>',
      before: '<text:list>',
      after: '</text:list>',
    },
    { name: 'rows', unit: tableRow, before: '<table:table>', after: '</table:table>' },
    {
      name: 'notes',
      unit: '<text:note><text:note-body><text:p>a</text:p></text:note-body></text:note>',
      before: '<text:p>',
      after: '</text:p>',
    },
    { name: 'spans', unit: '<text:span>a</text:span>', before: '<text:p>', after: '</text:p>' },
  ]),
  ...units('odp', stored(open('presentation')), [
    ...xmlUnits('<draw:page><draw:frame><draw:text-box><text:p>', '</text:p></draw:text-box></draw:frame></draw:page>'),
  ]),
  ...units('sheets', stored(open('spreadsheet')), [
    ...xmlUnits(
      `<table:table table:name="S"><table:table-row><table:table-cell><text:p>`,
      '</text:p></table:table-cell></table:table-row></table:table>',
    ),
    { name: 'OpenDocument: rows', unit: tableRow, before: '<table:table table:name="S">', after: '</table:table>' },
    {
      name: 'OpenDocument: repeated cells',
      unit: '<table:table-cell table:number-columns-repeated="2"/>',
      before: '<table:table table:name="S"><table:table-row>',
      after: '</table:table-row></table:table>',
    },
    {
      name: 'OpenDocument: cells without an end',
      unit: '<table:table-cell ',
      before: '<table:table table:name="S" table:number-columns-repeated="2"><table:table-row>',
    },
    { name: 'OpenDocument: tables without an end', unit: '<table:table ' },
  ]),
  ...units('sheets', stored(sheetStyles), [
    {
      name: 'OpenDocument: styles',
      unit: '<style:style style:name="a" style:family="table"><style:table-properties table:display="false"/></style:style>',
    },
    { name: 'OpenDocument: styles without an end', unit: '<style:style style:name="a">' },
    { name: 'OpenDocument: style tags without an end', unit: '<style:style ' },
  ]),
  ...units('sheets', stored(sheet), [
    { name: 'rows', unit: sheetRow, before: '<sheetData>', after: '</sheetData>' },
    { name: 'cells', unit: '<c><v>1</v></c>', before: '<sheetData><row>', after: '</row></sheetData>' },
    { name: 'rows without an end', unit: '<row ', before: '<sheetData>' },
    { name: 'cells without an end', unit: '<c ', before: '<sheetData><row>' },
    { name: 'columns that begin like cells', unit: '<col>', before: '<sheetData><row>' },
    {
      name: 'white space in a cell',
      unit: '\n',
      before: '<sheetData><row><c',
      after: '><v>1</v></c></row></sheetData>',
    },
    {
      name: 'merges',
      unit: '<mergeCell ref="A1:A1"/>',
      before: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells>',
      after: '</mergeCells>',
    },
    {
      name: 'merges of one cell',
      unit: '<mergeCell ref="A1:B9"/>',
      before: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells>',
      after: '</mergeCells>',
    },
    {
      name: 'links',
      unit: '<hyperlink ref="A1" display="a"/>',
      before: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><hyperlinks>',
      after: '</hyperlinks>',
    },
    {
      name: 'links without an end',
      unit: '<hyperlink ',
      before: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><hyperlinks>',
    },
    {
      name: 'merges without an end',
      unit: '<mergeCell ',
      before: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells>',
    },
  ]),
  ...units('sheets', stored(strings), [
    { name: 'strings', unit: '<si><t>abc</t></si>' },
    { name: 'strings without an end', unit: '<si>' },
    { name: 'texts without an end', unit: '<t>', before: '<si>', after: '</si>' },
    { name: 'text tags without an end', unit: '<t ', before: '<si>', after: '</si>' },
    { name: 'phonetic runs', unit: '<rPh><t>a</t></rPh>', before: '<si>', after: '</si>' },
    { name: 'phonetic runs without an end', unit: '<rPh ', before: '<si>', after: '</si>' },
  ]),
  ...units('pptx', stored(slide), [
    ...xmlUnits('<a:p><a:r><a:t>', '</a:t></a:r></a:p>'),
    { name: 'runs', unit: '<a:r><a:t>a</a:t></a:r>', before: '<a:p>', after: '</a:p>' },
  ]),
  ...units(
    'pptx',
    stored((shapes) => pptx([slidePart(shapes)])),
    [{ name: 'shapes', unit: shape('', '<a:p><a:r><a:t>a</a:t></a:r></a:p>') }],
  ),
  ...units(
    'epub',
    stored((body) => epub([{ name: 'a', body }])),
    [...plain, { name: 'paragraphs', unit: '<p>abc</p>' }, { name: 'spans', unit: '<i>abc</i>' }],
  ),
  {
    kind: 'epub',
    name: 'chapters',
    size: 100,
    make: (count) =>
      epub(Array.from({ length: Math.ceil(count / 20) }, (_, n) => ({ name: `c${n}`, body: '<p>a</p>' }))),
  },
  {
    kind: 'zip',
    name: 'files',
    size: 100,
    make: (count) =>
      zipOf(
        Object.fromEntries(Array.from({ length: Math.ceil(count / 10) }, (_, n) => [`${n}.eml`, `${header}\na`])),
        0,
      ),
  },
  {
    kind: 'pptx',
    name: 'slides',
    size: 100,
    make: (count) =>
      pptx(
        Array.from({ length: Math.ceil(count / 20) }, () => slidePart(shape('', '<a:p><a:r><a:t>a</a:t></a:r></a:p>'))),
      ),
  },
]

const texts: readonly Growing[] = [
  ...units('mail', text, mails),
  ...units('mailbox', text, [
    { name: 'mails', unit: `From a\n${header}\na\n` },
    { name: 'quoted lines', unit: '>From a\n', before: `From a\n${header}\n` },
    { name: 'quotes', unit: '>', before: `From a\n${header}\n` },
  ]),
  ...units('rtf', (content) => text(`{\\rtf1 ${content}}`), [
    ...plain,
    { name: 'paragraphs', unit: '\\par a' },
    { name: 'open groups', unit: '{\\b ' },
    { name: 'groups', unit: '{\\b a}' },
    { name: 'cells', unit: 'a\\cell ', before: '\\trowd\\intbl ', after: '\\row' },
    { name: 'rows', unit: '\\trowd\\cellx1 a\\cell\\row' },
    { name: 'fields', unit: '{\\field{\\*\\fldinst HYPERLINK "http://a.test"}{\\fldrslt a}}' },
    { name: 'fields without an end', unit: '{\\field{\\*\\fldinst ' },
    { name: 'styles', unit: '{\\s1 a;}', before: '{\\stylesheet ', after: '}' },
    { name: 'fonts', unit: '{\\f1 a;}', before: '{\\fonttbl ', after: '}' },
    { name: 'binary data', unit: '\\bin1 a' },
    { name: 'escaped bytes', unit: "\\'e4" },
    { name: 'letters of Unicode', unit: '\\u228?' },
  ]),
  ...units('tex', (content) => text(`\\documentclass{article}\\begin{document}${content}`), [
    ...plain,
    { name: 'commands without an end', unit: '\\textbf{' },
    { name: 'commands', unit: '\\textbf{a} ' },
    { name: 'environments without an end', unit: '\\begin{itemize}\\item ' },
    { name: 'tables without an end', unit: '\\begin{tabular}{l} a & ' },
    { name: 'rows', unit: 'a & b \\\\\n', before: '\\begin{tabular}{ll}', after: '\\end{tabular}' },
    { name: 'formulas without an end', unit: '\\[ a ' },
    { name: 'formulas', unit: '$a$ ' },
    { name: 'sections', unit: '\\section{a} b\n\n' },
    { name: 'notes', unit: 'a\\footnote{b} ' },
    { name: 'macros', unit: '\\newcommand{\\a}{b}' },
    { name: 'comments', unit: '% a\n' },
    { name: 'verbatim without an end', unit: '\\begin{verbatim}' },
    { name: 'verb without an end', unit: '\\verb|a ' },
    { name: 'optional arguments without an end', unit: '\\a[' },
  ]),
  ...units('notebook', (content) => text(JSON.stringify({ cells: [{ cell_type: 'markdown', source: content }] })), [
    ...plain,
    { name: 'table rows', unit: '| a | b |\n', before: '| a | b |\n| - | - |\n' },
    { name: 'list items', unit: '* a\n' },
    { name: 'references', unit: '[a]: b\n' },
    { name: 'headings', unit: '# a\n' },
    { name: 'links', unit: '[a](b) ' },
    { name: 'pictures without an end', unit: '![' },
  ]),
  {
    kind: 'notebook',
    name: 'cells',
    size: 100,
    make: (count) =>
      text(
        JSON.stringify({
          cells: Array.from({ length: count }, () => ({
            cell_type: 'code',
            source: ['a'],
            outputs: [{ text: ['b'] }],
          })),
        }),
      ),
  },
  {
    kind: 'notebook',
    name: 'lines',
    size: 100,
    make: (count) =>
      text(JSON.stringify({ cells: [{ cell_type: 'code', source: Array.from({ length: count }, () => 'a\n') }] })),
  },
  ...units('calendar', (content) => text(`BEGIN:VCALENDAR\n${content}\nEND:VCALENDAR`), [
    ...plain,
    { name: 'events', unit: 'BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n' },
    { name: 'events without an end', unit: 'BEGIN:VEVENT\n' },
    { name: 'a folded line', unit: ' a\n', before: 'BEGIN:VEVENT\nSUMMARY:a\n' },
    { name: 'parameters', unit: ';A=b', before: 'BEGIN:VEVENT\nSUMMARY', after: ':a' },
  ]),
  ...units('cards', (content) => text(`BEGIN:VCARD\n${content}\nEND:VCARD`), [
    ...plain,
    { name: 'cards', unit: 'FN:a\nEND:VCARD\nBEGIN:VCARD\n' },
    { name: 'numbers', unit: 'TEL;TYPE=home:12\n', before: 'FN:a\n' },
    { name: 'a folded line', unit: ' a\n', before: 'FN:a\n' },
  ]),
  ...units('subtitles', (content) => text(`WEBVTT\n\n00:01.000 --> 00:02.000\n${content}`), [
    ...plain,
    { name: 'cues', unit: 'a\n\n00:01.000 --> 00:02.000\n' },
    { name: 'times', unit: '00:01.000 --> 00:02.000\n' },
    { name: 'digits', unit: '12345678' },
    { name: 'voices', unit: '<v Ann>a' },
  ]),
]

export const growing: readonly Growing[] = [...texts, ...office]
