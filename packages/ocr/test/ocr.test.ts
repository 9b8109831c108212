import { createEngine } from '@harvestman/core'
import { pdf } from '@harvestman/pdf'
import { scriptedLLM } from '@harvestman/testing'
import { afterAll, describe, expect, test } from 'vitest'

import { ocr, tesseract } from '../src/index.ts'
import { fixture, makeScan } from './scan.ts'

const engine = createEngine({ plugins: [pdf(), ocr({ engine: tesseract({ threads: 1 }) })] })
afterAll(() => engine.close())

const title = '# Harvest report'
const sentence =
  'The cooperative of Lindenau brought in 4,218 tonnes of apples this autumn, a fifth more than in the year before.'
const jpeg = { jpeg: fixture('letter.jpg'), size: [800, 560] } as const

describe('An image', () => {
  test.each([
    ['letter.png', 'image/png'],
    ['letter.webp', 'image/webp'],
    ['letter.gif', 'image/gif'],
    ['letter.tiff', 'image/tiff'],
    ['exif-6.jpg', 'image/jpeg'],
    ['upside-down.png', 'image/png'],
    ['skewed.png', 'image/png'],
  ])('is a document of one page: %s', async (name, contentType) => {
    const { markdown, metadata, warning } = await engine.parse(fixture(name), { name, contentType })
    expect(markdown).toContain(title)
    expect(markdown).toContain(sentence)
    expect(metadata).toMatchObject({ title: 'Harvest report', numPages: 1, creditsUsed: 1 })
    expect(warning).toBeUndefined()
  })
})

test.each(['an image', 'a scanned PDF'])(
  'A value of %s is cited with the box of the recognized paragraph',
  async (kind) => {
    const llm = scriptedLLM([{ value: { tonnes: 4218 } }])
    const plugins = [pdf(), ocr({ engine: tesseract({ threads: 1 }) })]
    await using citing = createEngine({ llm, plugins })
    const schema = { type: 'object', properties: { tonnes: { type: 'number' } } } as const
    const formats = [{ type: 'json', schema, citations: true }] as const
    const isImage = kind === 'an image'
    const file = isImage
      ? fixture('letter.png')
      : makeScan(['The first page has its own text, which is long enough.', jpeg])
    const { claims, json, ...document } = await citing.parse(file, { formats, ...(isImage && { name: 'letter.png' }) })
    const [citation] = claims?.[0]?.citations ?? []
    expect(citation?.quote).toBe(sentence)
    expect(citation?.places?.map(({ page }) => page)).toEqual([isImage ? 1 : 2])
    // The picture has its text between 70 and 730 of 800 pixels.
    const [left = 0, top = 0, right = 0] = citation?.places?.[0]?.box ?? []
    expect([left, right, top].map((share) => Math.round(share * 20) / 20)).toEqual([0.1, 0.9, 0.25])
    expect(json).toEqual({ tonnes: 4218 })
    expect(document).not.toHaveProperty('blocks')
  },
)

describe('A scanned PDF', () => {
  test('has the text of its pages, with the origin and the confidence of each block', async () => {
    const own = 'This page has its own text, which is long enough to need no recognition at all.'
    const parsers = [{ type: 'pdf', blocks: true, pages: true }] as const
    const { markdown, pages, blocks, metadata, warning } = await engine.parse(makeScan([own, jpeg]), { parsers })
    expect(markdown).toMatch(new RegExp(`^${own}\n\n${title}\n\n${sentence}\n\n`))
    expect(pages?.[1]?.markdown).toContain(sentence)
    expect(metadata).toMatchObject({ numPages: 2, creditsUsed: 2 })
    expect(warning).toBeUndefined()
    expect(blocks?.[0]?.items[0]).toMatchObject({ source: 'native_text', confidence: { ocr: null } })
    const [heading, paragraph] = blocks?.[1]?.items ?? []
    expect(heading).toMatchObject({ type: 'title', content: 'Harvest report', source: 'ocr' })
    expect(heading?.confidence.ocr).toBeGreaterThan(0.8)
    expect(paragraph).toMatchObject({ type: 'text', content: sentence })
    // The picture has its text between 70 and 730 of 800 pixels.
    const [left = 0, top = 0, right = 0] = paragraph?.bbox ?? []
    expect([left, right, top].map((share) => Math.round(share * 20) / 20)).toEqual([0.1, 0.9, 0.25])
  })
})
