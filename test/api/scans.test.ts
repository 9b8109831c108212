// Scans and images through the official client: each option of the parsers.
import { readFileSync } from 'node:fs'

import { ocr, tesseract } from '@harvestman/documents/ocr'
import { pdf } from '@harvestman/documents/pdf'
import Client from '@mendable/firecrawl-js'
import { describe, expect, test } from 'vitest'

import { makeScan } from '../../packages/ocr/test/scan.ts'
import { openHouse } from './bench.ts'
import { serveFiles } from './file-site.ts'

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

  test('gets the Markdown of each page with pageMarkdown, unless pages switches it off', async () => {
    const read = async (options: object) =>
      (await clientOf(house).parse(file, { parsers: [{ type: 'pdf', ...options } as never] })) as { pages?: unknown }
    const pages = [
      { pageNumber: 1, markdown: own },
      { pageNumber: 2, markdown: expect.stringContaining(sentence) },
    ]
    expect((await read({ pageMarkdown: true })).pages).toEqual(pages)
    expect(await read({ pageMarkdown: true, pages: false })).not.toHaveProperty('pages')
  })

  test('reads the text of a file in the mode fast, and names the page without text', async () => {
    const { markdown, ...rest } = await clientOf(house).parse(file, { parsers: [{ type: 'pdf', mode: 'fast' }] })
    expect(markdown).toBe(own)
    expect(rest).toMatchObject({ warning: expect.stringContaining('Page 2'), metadata: { numPages: 2 } })
  })

  test('gets the same from a scrape of a URL', async () => {
    await using site = await serveFiles({ '/scan.pdf': file, '/letter.png': image })
    const { markdown, ...rest } = await clientOf(house).scrape(`${site.url}/scan.pdf`, {
      parsers: [{ type: 'pdf', mode: 'ocr', maxPages: 2, pages: true, blocks: true, pageMarkers: true }],
    })
    expect(markdown).toContain('<!-- page 2 -->')
    expect(rest).toMatchObject({
      pages: [{ pageNumber: 1 }, { pageNumber: 2 }],
      blocks: [{ items: [{ source: 'ocr' }] }, { pageNumber: 2 }],
    })
    const letter = await clientOf(house).scrape(`${site.url}/letter.png`, { parsers: ['image' as never] })
    expect(letter.markdown).toContain(sentence)
  })

  test('gets pictures of the pages at secret URLs, as of screenshots', async () => {
    const parsers = [{ type: 'pdf', blocks: true, pageImages: true } as never]
    const { pageImages } = (await clientOf(house).parse(file, { parsers })) as {
      pageImages?: readonly { url: string }[]
    }
    expect(pageImages).toMatchObject([
      { pageNumber: 1, rotation: 0 },
      { pageNumber: 2, rotation: 0 },
    ])
    const [first, second] = pageImages ?? []
    expect(first?.url).toMatch(/\/v2\/files\/[\da-f-]{36}$/)
    expect(second?.url).not.toBe(first?.url)
    const { status, headers } = await fetch(second?.url ?? '')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('gets pictures of the figures at secret URLs, also without text recognition', async () => {
    const data = readFileSync(new URL('../../packages/pdf/test/fixtures/figures/cairo.pdf', import.meta.url))
    const figures = { data, filename: 'figures.pdf', contentType: 'application/pdf' }
    const parsers = [{ type: 'pdf', figures: true } as never]
    const { blocks } = (await clientOf(without).parse(figures, { parsers })) as {
      blocks?: readonly { items: readonly { type: string; image?: string }[] }[]
    }
    const urls = blocks?.flatMap(({ items }) => items.flatMap(({ image: url }) => (url === undefined ? [] : [url])))
    expect(urls).toEqual([1, 2].map(() => expect.stringMatching(/\/v2\/files\/[\da-f-]{36}$/)))
    const { status, headers } = await fetch(urls?.[0] ?? '')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('gets pictures inside the document if nothing may be stored', async () => {
    const options = { parsers: [{ type: 'image', pageImages: true } as never], zeroDataRetention: true } as never
    const { pageImages, ...rest } = (await clientOf(house).parse(image, options)) as { pageImages?: unknown }
    const url = `data:image/png;base64,${Buffer.from(fixture('letter.png')).toString('base64')}`
    expect(pageImages).toEqual([{ pageNumber: 1, url, rotation: 0 }])
    expect(rest).not.toHaveProperty('blocks')
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
