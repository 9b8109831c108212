// Scans and images through the official client: each option of the parsers.
import { readFileSync } from 'node:fs'

import { ocr, tesseract } from '@harvestman/documents/ocr'
import { pdf } from '@harvestman/documents/pdf'
import Client from '@mendable/firecrawl-js'
import { describe, expect, test } from 'vitest'

import { makeScan } from '../../packages/ocr/test/scan.ts'
import { openHouse } from './bench.ts'

const house = openHouse('fc-key', { plugins: [pdf(), ocr({ engine: tesseract({ threads: 1 }) })] })
const without = openHouse('fc-key', { plugins: [pdf()] })
const clientOf = ({ server }: typeof house) => new Client({ apiKey: 'fc-key', apiUrl: server.url })

const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../packages/ocr/test/fixtures/${name}`, import.meta.url)))
const own = 'This page has its own text, which is long enough to need no recognition at all.'
const scan = makeScan([own, { jpeg: fixture('letter.jpg'), size: [800, 560] }])
const file = { data: Buffer.from(scan), filename: 'scan.pdf', contentType: 'application/pdf' }
const image = { data: Buffer.from(fixture('letter.png')), filename: 'letter.png', contentType: 'image/png' }
const sentence = 'Prices stayed at 38 cents per kilogram.'

describe('The official client', () => {
  test('gets the text of scanned pages by default', async () => {
    const { markdown, metadata } = await clientOf(house).parse(file)
    expect(markdown).toContain(own)
    expect(markdown).toContain(sentence)
    expect(metadata).toMatchObject({ numPages: 2, creditsUsed: 2 })
  })

  test('gets pages, blocks and page markers of a scan', async () => {
    const parsers = [{ type: 'pdf', mode: 'auto', pages: true, blocks: true, pageMarkers: true }] as const
    const { markdown, ...rest } = await clientOf(house).parse(file, { parsers: [...parsers] })
    expect(markdown).toContain('<!-- page 2 -->')
    expect(rest).toMatchObject({
      pages: [{ pageNumber: 1 }, { pageNumber: 2, markdown: expect.stringContaining(sentence) }],
      blocks: [
        { pageNumber: 1, items: [{ source: 'native_text', confidence: { ocr: null } }] },
        { pageNumber: 2, items: expect.arrayContaining([expect.objectContaining({ source: 'ocr' })]) },
      ],
    })
  })

  test('gets at most the requested pages', async () => {
    const { markdown, metadata } = await clientOf(house).parse(file, { parsers: [{ type: 'pdf', maxPages: 1 }] })
    expect(markdown).toBe(own)
    expect(metadata).toMatchObject({ numPages: 1, totalPages: 2, creditsUsed: 1 })
  })

  test('recognizes all pages in the mode ocr, and needs the plugin for it', async () => {
    const options = { parsers: [{ type: 'pdf', mode: 'ocr', pageMarkdown: true }] } as never
    const { markdown } = await clientOf(house).parse(file, options)
    expect(markdown).toContain(sentence)
    await expect(clientOf(without).parse(file, options)).rejects.toThrow(/mode ocr needs text recognition/)
  })

  test('reads no image in the mode fast, and names the reason', async () => {
    const scanned = { ...file, data: Buffer.from(makeScan([{ jpeg: fixture('letter.jpg'), size: [800, 560] }])) }
    const parsing = clientOf(house).parse(scanned, { parsers: [{ type: 'pdf', mode: 'fast' }] })
    await expect(parsing).rejects.toMatchObject({ code: 'SCRAPE_PDF_OCR_REQUIRED' })
  })

  test('reads an image, unless the list of parsers is without it', async () => {
    expect((await clientOf(house).parse(image)).markdown).toContain(sentence)
    expect((await clientOf(house).parse(image, { parsers: ['image' as never] })).markdown).toContain(sentence)
    await expect(clientOf(house).parse(image, { parsers: ['pdf'] })).rejects.toThrow(
      /Unsupported upload type image\/png/,
    )
  })

  test('finds which images this server reads', async () => {
    const formats = async ({ server }: typeof house) => {
      const response = await fetch(`${server.url}/v2/parse/formats`, { headers: { authorization: 'Bearer fc-key' } })
      const { data } = (await response.json()) as { data: { formats: { format: string; available: boolean }[] } }
      return Object.fromEntries(data.formats.map(({ format, available }) => [format, available]))
    }
    expect(await formats(house)).toMatchObject({ png: true, jpg: true, tiff: true, webp: true, jp2: false })
    expect(await formats(without)).toMatchObject({ png: false, pdf: true })
  })
})
