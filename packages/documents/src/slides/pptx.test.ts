import { afterAll, describe, expect, test } from 'vitest'

import { ap, pptx, relations, shape, slidePart } from '../fixtures/files.ts'
import { fileReader } from '../fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

const title = (text: string): string => shape('type="title"', ap(text))
const level = (depth: number): string => `<a:pPr lvl="${depth}"/>`
const read = async (...shapes: readonly string[]): Promise<string> =>
  (await reader.read(pptx([slidePart(shapes.join(''))]))).markdown

describe('a presentation', () => {
  test('has its slides in the order of the presentation, not of the files', async () => {
    const { markdown, metadata } = await reader.read(
      pptx(['One', 'Two', 'Three'].map((text) => slidePart(title(text)))),
    )
    expect(markdown).toBe('## One\n\n## Two\n\n## Three')
    expect(metadata).toMatchObject({ numSlides: 3 })
  })

  test('has the title first wherever it stands, and a number where there is none', async () => {
    expect(await read(shape('', ap('text')), title('Late'))).toBe('## Late\n\ntext')
    expect(await read(shape('', ap('text')))).toBe('## Slide 1\n\ntext')
  })

  test('has the text of places as bullets with levels, and of boxes as paragraphs', async () => {
    const body = shape('idx="1"', ap('a') + ap('b', level(1)) + ap('c') + ap('plain', '<a:pPr><a:buNone/></a:pPr>'))
    expect(await read(title('T'), body, shape('', ap('box')))).toBe('## T\n\n- a\n  - b\n- c\n\nplain\n\nbox')
  })

  test('numbers what is numbered', async () => {
    const number = (start: string): string => `<a:pPr><a:buAutoNum type="arabicPeriod"${start}/></a:pPr>`
    const body = shape('', ap('three', number(' startAt="3"')) + ap('four', number('')))
    expect(await read(title('T'), body)).toBe('## T\n\n3. three\n4. four')
  })

  test('asks the layout and the master whether a place is a list', async () => {
    const slide = slidePart(
      title('T') + shape('type="body" idx="1"', ap('no list')) + shape('type="body" idx="2"', ap('list')),
    )
    const space =
      'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    const place = (index: number, style: string): string =>
      `<p:sp><p:nvSpPr><p:cNvPr id="1" name=""/><p:nvPr><p:ph type="body" idx="${index}"/></p:nvPr></p:nvSpPr><p:txBody><a:lstStyle>${style}</a:lstStyle></p:txBody></p:sp>`
    const layout = `<p:sldLayout ${space}><p:cSld><p:spTree>${place(1, '<a:lvl1pPr><a:buNone/></a:lvl1pPr>')}${place(2, '')}</p:spTree></p:cSld></p:sldLayout>`
    const more = {
      'ppt/slides/_rels/slide1.xml.rels': relations(['l', 'slideLayout', '../slideLayouts/slideLayout1.xml']),
      'ppt/slideLayouts/slideLayout1.xml': layout,
    }
    expect((await reader.read(pptx([slide], more))).markdown).toBe('## T\n\nno list\n\n- list')
  })

  test('has tables with heads and merged cells', async () => {
    const cell = (text: string, span = ''): string => `<a:tc${span}><a:txBody>${ap(text)}</a:txBody></a:tc>`
    const grid = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name=""/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('A')}${cell('B')}</a:tr><a:tr>${cell('wide', ' gridSpan="2"')}${cell('', ' hMerge="1"')}</a:tr><a:tr>${cell('1')}${cell('2')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    expect(await read(title('T'), grid)).toBe('## T\n\n| A | B |\n| --- | --- |\n| wide |  |\n| 1 | 2 |')
  })

  test('has what the speaker notes under each slide, and links that lead out', async () => {
    const linked = '<a:p><a:r><a:rPr b="1"><a:hlinkClick r:id="h"/></a:rPr><a:t>go</a:t></a:r></a:p>'
    const notes = slidePart(shape('type="sldNum"', ap('7')) + shape('type="body"', ap('Say hello.'))).replaceAll(
      'p:sld',
      'p:notes',
    )
    const more = {
      'ppt/slides/_rels/slide1.xml.rels': relations(
        ['h', 'hyperlink', 'https://example.com/', 'External'],
        ['n', 'notesSlide', '../notesSlides/n1.xml'],
      ),
      'ppt/notesSlides/n1.xml': notes,
    }
    const { markdown } = await reader.read(pptx([slidePart(title('T') + shape('', linked))], more))
    expect(markdown).toBe('## T\n\n[**go**](https://example.com/)\n\n### Notes\n\nSay hello.')
  })

  test('leaves out hidden slides, and dates, footers and numbers', async () => {
    const footer = shape('type="ftr"', ap('foot')) + shape('type="sldNum"', ap('1')) + shape('type="dt"', ap('today'))
    const { markdown, warning } = await reader.read(
      pptx([slidePart(title('A') + footer), slidePart(title('B'), ' show="0"')]),
    )
    expect(markdown).toBe('## A')
    expect(warning).toBe('Slide 2 is hidden, so it is left out.')
  })

  test('has groups, pictures by their description, and the words of diagrams', async () => {
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="1" name="x" descr="A cat"/><p:nvPr/></p:nvPicPr></p:pic>'
    const diagram =
      '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name=""/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="d"/></a:graphicData></a:graphic></p:graphicFrame>'
    const model = `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst><dgm:pt><dgm:t>${ap('Plan')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${ap('Do')}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`
    const more = {
      'ppt/slides/_rels/slide1.xml.rels': relations(['d', 'diagramData', '../diagrams/data1.xml']),
      'ppt/diagrams/data1.xml': model,
    }
    const slide = slidePart(
      `${title('T')}<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name=""/></p:nvGrpSpPr>${shape('', ap('grouped'))}${picture}</p:grpSp>${diagram}`,
    )
    expect((await reader.read(pptx([slide], more))).markdown).toBe('## T\n\ngrouped\n\n(Image: A cat)\n\n- Plan\n- Do')
  })
})
