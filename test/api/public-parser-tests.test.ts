// What the public test suite of the v2 API expects of parsers, by the names of its tests, in requests of our own.
import { ocr, tesseract } from '@harvestman/documents/ocr'
import { pdf } from '@harvestman/documents/pdf'
import { documents } from '@harvestman/documents'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { lines } from '../../packages/pdf/test/lines.ts'
import { makePdf } from '../../packages/pdf/test/make-pdf.ts'
import { askServer, openHouse, type Body } from './bench.ts'
import { serveFiles } from './file-site.ts'

const plugins = [pdf(), documents(), ocr({ engine: tesseract({ threads: 1 }) })]
const house = openHouse('fc-key', { plugins })
const withoutOcr = openHouse('fc-key', { plugins: [pdf(), documents()] })

const page = (number: number) => ({ texts: lines(72, 90, [`Sample report, page ${number} of some length.`]) })
const pdfOf = (count: number) =>
  Buffer.from(makePdf({ pages: Array.from({ length: count }, (_, index) => page(index + 1)), deflate: true }))
const letter = readFileSync(new URL('../../packages/ocr/test/fixtures/letter.png', import.meta.url))
const jpeg = readFileSync(new URL('../../packages/ocr/test/fixtures/letter.jpg', import.meta.url))
const sentence = 'Prices stayed at 38 cents per kilogram.'
const html = '<title>Lamp</title><main><h1>Lamp</h1><p>It costs EUR 12.</p></main>'
const wrapper = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="%PDF-1.7 a.pdf"\r\n\r\n')

const files = {
  '/two.pdf': { data: pdfOf(2), contentType: 'application/pdf' },
  '/long.pdf': { data: pdfOf(9), contentType: 'application/pdf' },
  '/cached.pdf': { data: pdfOf(4), contentType: 'application/pdf' },
  '/truncated.pdf': { data: pdfOf(6), contentType: 'application/pdf' },
  '/cached.html': { data: Buffer.from(html), contentType: 'text/html' },
  '/page.html': { data: Buffer.from(html), contentType: 'text/html' },
  '/letter.png': { data: letter, contentType: 'image/png' },
  '/letter.jpg': { data: jpeg, contentType: 'image/jpeg' },
  '/mislabeled.jp2': { data: pdfOf(1), contentType: 'image/jp2' },
  '/wrapped.pdf': { data: Buffer.concat([wrapper, pdfOf(1)]), contentType: 'application/pdf' },
  '/about.html': { data: Buffer.from(`<p>%PDF-1.4 files start with %PDF</p>${html}`), contentType: 'text/html' },
}
let site: Awaited<ReturnType<typeof serveFiles>>
beforeAll(async () => void (site = await serveFiles(files)))
afterAll(async () => site[Symbol.asyncDispose]())

interface Document {
  readonly markdown?: string
  readonly rawBase64?: string
  readonly warning?: string
  readonly pages?: readonly { readonly pageNumber: number; readonly markdown: string }[]
  readonly metadata: Readonly<Record<string, unknown>>
}

async function request(path: keyof typeof files, options: object = {}, { on = house } = {}) {
  const body = { url: site.url + path, ...options }
  const answer = await askServer(on, 'POST', '/v2/scrape', { key: 'fc-key', body })
  return { status: answer.status, body: answer.body as unknown as { readonly data?: Document } & Omit<Body, 'data'> }
}

async function scrape(path: keyof typeof files, options: object = {}): Promise<Document> {
  const { status, body } = await request(path, options)
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return body.data as Document
}

async function parse(data: Buffer, name: string, type: string, options: object = {}, on = house) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(data)], { type }), name)
  form.set('options', JSON.stringify(options))
  const headers = { authorization: 'Bearer fc-key' }
  const response = await fetch(`${on.server.url}/v2/parse`, { method: 'POST', headers, body: form })
  return (await response.json()) as { readonly data?: Document; readonly code?: string; readonly error?: string }
}

const text = 'Sample report, page 1'

describe('Parsers parameter tests', () => {
  test("accepts parsers: ['pdf'] and parses PDF; bills correctly", async () => {
    const { markdown, metadata } = await scrape('/two.pdf', { parsers: ['pdf'] })
    expect(markdown).toContain(text)
    expect(metadata).toMatchObject({ numPages: 2, creditsUsed: 2 })
  })

  test('accepts parsers: [] and returns PDF in base64; bills flat rate', async () => {
    const { markdown, metadata } = await scrape('/two.pdf', { parsers: [] })
    expect(markdown).toMatch(/^JVBER/)
    expect(metadata['creditsUsed']).toBe(1)
  })

  test.each([[['pdf']], [[]]])('accepts parsers: %j on HTML pages (no effect)', async (parsers) => {
    expect((await scrape('/page.html', { parsers })).markdown).toBe('# Lamp\n\nIt costs EUR 12.')
  })

  test.each([
    [undefined],
    [[{ type: 'pdf' }]],
    [[{ type: 'pdf', mode: 'fast' }]],
    [[{ type: 'pdf', mode: 'auto' }]],
    [[{ type: 'pdf', mode: 'ocr' }]],
  ])('accepts parsers: %j and parses PDF', async (parsers) => {
    const { markdown, metadata } = await scrape('/two.pdf', parsers && { parsers })
    expect(markdown).toContain(text)
    expect(metadata['numPages']).toBe(2)
  })

  test.each([[{}], [{ mode: 'fast' }]])('limits pages to maxPages, with %j, and bills these', async (more) => {
    const { markdown, metadata } = await scrape('/two.pdf', { parsers: [{ type: 'pdf', maxPages: 1, ...more }] })
    expect(markdown).toContain(text)
    expect(metadata).toMatchObject({ numPages: 1, creditsUsed: 1 })
  })

  test('handles maxPages larger than actual pages', async () => {
    const { metadata } = await scrape('/two.pdf', { parsers: [{ type: 'pdf', maxPages: 10_000 }] })
    expect(metadata).toMatchObject({ numPages: 2, totalPages: 2 })
  })

  test('reports totalPages when a PDF is truncated by maxPages', async () => {
    const truncated = await scrape('/long.pdf', { parsers: [{ type: 'pdf', maxPages: 5 }] })
    expect(truncated.metadata).toMatchObject({ numPages: 5, totalPages: 9 })
    expect((await scrape('/long.pdf')).metadata).toMatchObject({ numPages: 9, totalPages: 9 })
  })

  test.each([
    ['invalid parser types', ['invalid-parser'], 'parsers.0'],
    ['non-array parsers', 'pdf', 'parsers'],
    ['old object format', { pdf: true }, 'parsers'],
    ['negative maxPages', [{ type: 'pdf', maxPages: -1 }], 'parsers.0.maxPages'],
    ['maxPages over limit', [{ type: 'pdf', maxPages: 10_001 }], 'parsers.0.maxPages'],
    ['invalid mode in object format', [{ type: 'pdf', mode: 'invalid' }], 'parsers.0.mode'],
    ['non-boolean pages', [{ type: 'pdf', pages: 'yes' }], 'parsers.0.pages'],
    ['colon-separated shorthand strings', ['pdf:fast'], 'parsers.0'],
  ])('rejects %s, and the message names the value', async (_, parsers, path) => {
    const { status, body } = await request('/two.pdf', { parsers })
    expect({ status, success: body.success }).toEqual({ status: 400, success: false })
    expect(body.error).toContain(path)
  })
})

describe('PDF physical page markdown', () => {
  test('returns additive pages without changing document markdown', async () => {
    const whole = await scrape('/two.pdf')
    const { markdown, pages, metadata } = await scrape('/two.pdf', {
      parsers: [{ type: 'pdf', mode: 'auto', pages: true }],
    })
    expect(markdown).toBe(whole.markdown)
    expect(pages).toMatchObject([{ pageNumber: 1, markdown: expect.stringContaining(text) }, { pageNumber: 2 }])
    expect(pages).toHaveLength(metadata['numPages'] as number)
  })
})

describe('V2 Scrape parsers[pdf].maxPages index caching', () => {
  const scrapeTwice = async (path: keyof typeof files, first: number, second = first) => {
    const found: unknown[] = []
    for (const maxPages of [first, second]) {
      const { metadata } = await scrape(path, { parsers: [{ type: 'pdf', maxPages }], maxAge: 600_000 })
      found.push([metadata['cacheState'], metadata['numPages']])
    }
    return found
  }

  test('caches a PDF whose page count fits under maxPages', async () => {
    expect(await scrapeTwice('/cached.pdf', 10_000)).toEqual([
      ['miss', 4],
      ['hit', 4],
    ])
  })

  // The cache has the file, not the pages that were read of it, so a hit never has the pages of another request.
  test('does not return the pages of a PDF that another maxPages truncated', async () => {
    expect(await scrapeTwice('/truncated.pdf', 3, 5)).toEqual([
      ['miss', 3],
      ['hit', 5],
    ])
  })

  test('caches HTML scrapes with a maxPages parser set', async () => {
    expect(await scrapeTwice('/cached.html', 100)).toEqual([
      ['miss', undefined],
      ['hit', undefined],
    ])
  })
})

describe('Image OCR', () => {
  test.each([
    ['/letter.png', 'image/png'],
    ['/letter.jpg', 'image/jpeg'],
  ] as const)('OCRs an image URL as a one-page document: %s', async (path, contentType) => {
    const { markdown, metadata, warning } = await scrape(path)
    expect(markdown).toContain(sentence)
    expect(metadata).toMatchObject({ contentType, statusCode: 200 })
    expect(warning).toBeUndefined()
  })

  test('serves the raw image through the rawBase64 format', async () => {
    expect((await scrape('/letter.png', { formats: ['rawBase64'] })).rawBase64).toBe(letter.toString('base64'))
  })

  test('OCRs images submitted through batch scrape', async () => {
    const body = { urls: [`${site.url}/letter.png`], formats: ['markdown'] }
    const { body: started } = await askServer(house, 'POST', '/v2/batch/scrape', { key: 'fc-key', body })
    await expect
      .poll(async () => (await askServer(house, 'GET', `/v2/batch/scrape/${started.id}`, { key: 'fc-key' })).body, {
        timeout: 60_000,
      })
      .toMatchObject({ status: 'completed', data: [{ markdown: expect.stringContaining(sentence) }] })
  })

  test.each([
    ['PNG', letter, 'letter.png', 'image/png'],
    ['JPEG', jpeg, 'letter.jpg', 'image/jpeg'],
  ])('OCRs an uploaded %s', async (_, data, name, type) => {
    const { data: document } = await parse(data, name, type)
    expect(document?.markdown).toContain(sentence)
    expect(document?.metadata).toMatchObject({ contentType: type, creditsUsed: 1 })
  })

  test('rejects image uploads as unsupported, and fails image URLs, without OCR', async () => {
    expect((await parse(letter, 'letter.png', 'image/png', {}, withoutOcr)).code).toBe('UNSUPPORTED_FILE_TYPE')
    const { status, body } = await request('/letter.png', {}, { on: withoutOcr })
    expect(status).not.toBe(200)
    expect(body.error).toMatch(/image\/png.* The operator of this server can add it\.$/)
  })

  // The public suite recognizes images whatever the list of parsers is. Here the list counts.
  test('rejects an image if the list of parsers is without it, and names the remedy', async () => {
    const { status, body } = await request('/letter.png', { parsers: [] })
    expect(status).not.toBe(200)
    expect(body.error).toContain('Add image to parsers.')
  })
})

describe('Mislabeled file handoff', () => {
  test('parses a PDF served with an image content type', async () => {
    const { markdown, metadata } = await scrape('/mislabeled.jp2')
    expect(markdown).toContain(text)
    expect(metadata).toMatchObject({ contentType: 'application/pdf', numPages: 1, statusCode: 200 })
  })
})

describe('The header of a PDF', () => {
  test('finds a header line behind leading bytes, and skips a mention of the magic mid-line', async () => {
    expect((await scrape('/wrapped.pdf')).markdown).toContain(text)
  })

  test('rejects a body that merely mentions the magic', async () => {
    expect((await scrape('/about.html')).markdown).toContain('files start with %PDF')
  })
})
