// Every reader has a limit in the unit of its work, which is checked before the work. A new reader needs a row here.
import { describe, expect, test } from 'vitest'

import { convertFile } from './convert.ts'
import { documents } from './documents.ts'
import {
  ap,
  docx,
  epub,
  odf,
  p,
  pptx,
  rows,
  shape,
  slidePart,
  wordPart,
  xlsx,
  relations,
  zipOf,
} from './fixtures/files.ts'
import { fileReader } from './fixtures/reading.ts'
import type { Kind } from './kinds.ts'
import { defaultLimits, type Limits } from './limits.ts'

interface Repetition {
  /** Makes a small file that repeats something so often. */
  readonly make: (count: number) => Uint8Array
  readonly limit: keyof Limits
  readonly warning: RegExp
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('')
const tooMany = (unit: string) => new RegExp(`more than 8 ${unit}; the rest is left out. Raise limits.${unit}`)
const cell = '<a:tc><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc>'
const grid = (count: number): string =>
  `<p:graphicFrame><p:nvGraphicFramePr/><a:graphic><a:graphicData><a:tbl>${`<a:tr>${cell}</a:tr>`.repeat(count)}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
const numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
const mail = (parts: string): Uint8Array =>
  Buffer.from(`Subject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n${parts}--b--\n`)
const note = (index: number): string => `<w:footnote w:id="${index}">${p('n')}</w:footnote>`

const repetitions: Readonly<Record<Kind, Readonly<Record<string, Repetition>>>> = {
  docx: {
    'numbered paragraphs': {
      make: (count) => docx(repeat(count, (index) => p(String(index), numbered))),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
    runs: {
      make: (count) => docx(`<w:p>${'<w:r><w:t>x</w:t></w:r>'.repeat(count)}</w:p>`),
      limit: 'elements',
      warning: tooMany('elements'),
    },
    'tables in tables': {
      make: (count) => docx(`<w:tbl>${`<w:tr><w:tc>${p('x')}</w:tc></w:tr>`.repeat(count)}</w:tbl>`),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
    notes: {
      make: (count) =>
        docx(p('x'), {
          'word/footnotes.xml': wordPart('footnotes', repeat(count, note)),
          'word/_rels/document.xml.rels': relations(['f', 'footnotes', 'footnotes.xml']),
        }),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
    attributes: {
      make: (count) => docx(`<w:p ${repeat(20 * count, (index) => `a${index}="x" `)}/>`),
      limit: 'elements',
      warning: tooMany('elements'),
    },
  },
  sheets: {
    rows: {
      make: (count) =>
        xlsx([{ name: 'S', inner: rows(...Array.from({ length: count }, () => [['A', 'a'] as const])) }]),
      limit: 'rows',
      warning: /rows? after it/,
    },
    cells: {
      make: (count) =>
        xlsx([
          { name: 'S', inner: `<sheetData>${`<row>${'<c><v>1</v></c>'.repeat(4)}</row>`.repeat(count)}</sheetData>` },
        ]),
      limit: 'cells',
      warning: /left out/,
    },
    characters: {
      make: (count) =>
        xlsx([{ name: 'S', inner: rows(...Array.from({ length: count }, () => [['A', 'a'] as const])) }]),
      limit: 'characters',
      warning: /left out/,
    },
  },
  pptx: {
    paragraphs: {
      make: (count) => pptx([slidePart(shape('', ap('x').repeat(count)))]),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
    cells: { make: (count) => pptx([slidePart(grid(count))]), limit: 'paragraphs', warning: tooMany('paragraphs') },
    shapes: {
      make: (count) => pptx([slidePart('<p:pic/>'.repeat(count))]),
      limit: 'elements',
      warning: tooMany('elements'),
    },
  },
  odt: {
    'items of a list': {
      make: (count) =>
        odf('text', `<text:list>${'<text:list-item><text:p>x</text:p></text:list-item>'.repeat(count)}</text:list>`),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
    spans: {
      make: (count) => odf('text', `<text:p>${'<text:span>x</text:span>'.repeat(count)}</text:p>`),
      limit: 'elements',
      warning: tooMany('elements'),
    },
  },
  odp: {
    pages: {
      make: (count) => odf('presentation', '<draw:page/>'.repeat(count)),
      limit: 'elements',
      warning: tooMany('elements'),
    },
  },
  rtf: {
    'numbered paragraphs': {
      make: (count) => Buffer.from(`{\\rtf1 ${repeat(count, (index) => `{\\listtext ${index}.\\tab}\\ls1 x\\par`)}}`),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
    'cells of tables': {
      make: (count) => Buffer.from(`{\\rtf1 ${'\\trowd\\cellx900\\intbl x\\cell\\row'.repeat(count)}}`),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
    'empty cells': {
      make: (count) => Buffer.from(`{\\rtf1 \\trowd\\cellx900\\intbl${'\\cell'.repeat(count)}\\row}`),
      limit: 'elements',
      warning: tooMany('elements'),
    },
    runs: {
      make: (count) => Buffer.from(`{\\rtf1 ${'\\b x\\b0 y'.repeat(count)}\\par}`),
      limit: 'elements',
      warning: tooMany('elements'),
    },
    notes: {
      make: (count) => Buffer.from(`{\\rtf1 ${'x{\\footnote n}'.repeat(count)}\\par}`),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
  },
  epub: {
    chapters: {
      make: (count) => epub(Array.from({ length: count }, (_, index) => ({ name: `c${index}`, body: '<p>x</p>' }))),
      limit: 'elements',
      warning: tooMany('elements'),
    },
    'cells of tables': {
      make: (count) => epub([{ name: 'one', body: `<table>${'<tr><td>x</td></tr>'.repeat(count)}</table>` }]),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
  },
  // Bounded by their own test: their parts cannot be repeated without a writer.
  compound: {},
  mail: {
    attachments: {
      make: (count) =>
        mail(
          repeat(
            count,
            (index) => `--b\nContent-Type: text/plain; name=${index}.txt\nContent-Disposition: attachment\n\nx\n`,
          ),
        ),
      limit: 'files',
      warning: /more content than limits\.files/,
    },
  },
  mailbox: {
    mails: {
      make: (count) => Buffer.from('From a\nSubject: s\n\nx\n'.repeat(count)),
      limit: 'files',
      warning: /more than \d+ mails/,
    },
  },
  calendar: {
    events: {
      make: (count) => Buffer.from(`BEGIN:VCALENDAR\n${'BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n'.repeat(count)}`),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
  },
  cards: {
    contacts: {
      make: (count) => Buffer.from('BEGIN:VCARD\nFN:x\nEND:VCARD\n'.repeat(count)),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
  },
  subtitles: {
    cues: {
      make: (count) => Buffer.from(`WEBVTT\n\n${'00:01.000 --> 00:02.000\nx\n\n'.repeat(count)}`),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
  },
  tex: {
    paragraphs: {
      make: (count) => Buffer.from('x\n\n'.repeat(count)),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
  },
  notebook: {
    cells: {
      make: (count) =>
        Buffer.from(
          JSON.stringify({ cells: Array.from({ length: count }, () => ({ cell_type: 'markdown', source: 'x' })) }),
        ),
      limit: 'paragraphs',
      warning: tooMany('paragraphs'),
    },
  },
  zip: {
    documents: {
      make: (count) => zipOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, 'x']))),
      limit: 'files',
      warning: /more than \d+ documents/,
    },
  },
}

describe('a small file that repeats something is cut at a limit that the warning names', () => {
  for (const kind of Object.keys(repetitions) as Kind[])
    for (const [what, { make, limit, warning }] of Object.entries(repetitions[kind]))
      test(`${kind}: ${what}`, async () => {
        const { warnings } = await convertFile({ bytes: make(60), kind, limits: { ...defaultLimits, [limit]: 8 } })
        expect(warnings.join(' ')).toMatch(warning)
        const { warnings: none } = await convertFile({ bytes: make(2), kind, limits: defaultLimits })
        expect(none.join(' ')).not.toMatch(warning)
      })
})

test('every reader is in this table', () => {
  const names = documents().parsers.map(({ name }) => name)
  expect(Object.keys(repetitions).toSorted()).toEqual(names.toSorted())
})

test('what was counted before a limit is kept', async () => {
  const reader = fileReader({ limits: { elements: 8 } })
  const { markdown } = await reader.read(Buffer.from(`{\\rtf1 ${'\\b x\\b0 y'.repeat(60)}\\par}`))
  expect(markdown.replaceAll('*', '')).toBe('xyxyxyxy')
  await reader.close()
})

test('letters of RTF that come one by one are one run', async () => {
  const reader = fileReader({ limits: { elements: 8 } })
  const { markdown, warning } = await reader.read(Buffer.from(`{\\rtf1 ${'\\u1078?'.repeat(60)}\\par}`))
  expect({ markdown, warning }).toEqual({ markdown: 'ж'.repeat(60), warning: '' })
  await reader.close()
})

describe('a part that many slides name is used once:', () => {
  const many = 300
  const slides = Array.from({ length: many }, (_, index) => slidePart(shape('type="body" idx="4999"', ap(`t${index}`))))
  const named = (kind: string, target: string) =>
    Object.fromEntries(
      slides.map((_, index) => [`ppt/slides/_rels/slide${index + 1}.xml.rels`, relations(['x', kind, target])]),
    )

  test('speaker notes', { tags: ['long'] }, async () => {
    const reader = fileReader()
    const notes = slidePart(shape('type="body"', ap('said'))).replaceAll('p:sld', 'p:notes')
    const file = pptx(slides, { ...named('notesSlide', '../notesSlides/n1.xml'), 'ppt/notesSlides/n1.xml': notes })
    expect((await reader.read(file)).markdown.match(/said/g)).toHaveLength(1)
    await reader.close()
  })

  test('a layout with very many places', { tags: ['long'] }, async () => {
    const reader = fileReader()
    const places = repeat(5_000, (index) => shape(`type="body" idx="${index}"`, ''))
    const layout = `<p:sldLayout xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cSld><p:spTree>${places}</p:spTree></p:cSld></p:sldLayout>`
    const file = pptx(slides, {
      ...named('slideLayout', '../slideLayouts/slideLayout1.xml'),
      'ppt/slideLayouts/slideLayout1.xml': layout,
    })
    expect((await reader.read(file)).markdown).toContain(`- t${many - 1}`)
    await reader.close()
  })
})
