import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { EngineError, type Ocr, type OcrOptions } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'

import { ocr, tesseract, type OcrPluginOptions } from '../src/index.ts'
import { fakeOcr } from './fake-ocr.ts'
import { fixture } from './scan.ts'
import { makeTiff } from './tiff.ts'

async function read(
  file: Uint8Array,
  name: string,
  options: OcrPluginOptions & { readonly parsers?: readonly ('pdf' | 'image')[]; readonly timeout?: number } = {},
) {
  const { parsers, timeout, ...rest } = options
  await using engine = createEngine({ plugins: [ocr({ engine: fakeOcr(['Found it']), ...rest })] })
  return await engine.parse(file, {
    name,
    ...(parsers && { parsers: [...parsers] }),
    ...(timeout !== undefined && { timeout }),
  })
}

/** Returns the start of a PNG that claims a size. */
function pngOf(width: number, height: number): Uint8Array {
  const bytes = Buffer.from(fixture('letter.png'))
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return new Uint8Array(bytes)
}

test('An image of 100,000 by 100,000 pixels is refused before it is decoded', async () => {
  const engine = fakeOcr([])
  await expect(read(pngOf(100_000, 100_000), 'huge.png', { engine })).rejects.toMatchObject({
    code: 'page_too_complex',
    details: { reason: 'too_large' },
  })
  expect(engine.pictures).toEqual([])
})

test.each([
  ['letter.png', 40],
  ['letter.gif', 8],
  ['letter.webp', 20],
  ['letter.tiff', 100],
  ['exif-6.jpg', 4],
])('An image that ends too early is an error, not a crash: %s', async (name, length) => {
  const engine = tesseract({ threads: 1 })
  await expect(read(fixture(name).slice(0, length), name, { engine })).rejects.toMatchObject({
    code: 'unsupported_file',
  })
})

test('A list of parsers without image refuses images, and the error names the entry to add', async () => {
  await expect(read(fixture('letter.png'), 'a.png', { parsers: ['pdf'] })).rejects.toMatchObject({
    code: 'unsupported_file',
    message: expect.stringMatching(/parsers of the request\. Add image to parsers\.$/),
  })
  expect((await read(fixture('letter.png'), 'a.png', { parsers: ['image'] })).markdown).toBe('Found it')
})

test('An SVG has its title and its text, without recognition', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><title>Yield</title><style>.a{}</style><g><text>Apples <tspan>&lt; 5 t</tspan></text><path d="M0 0"/></g></svg>`
  const { markdown } = await read(new TextEncoder().encode(svg), 'a.svg')
  expect(markdown).toBe('Yield\n\nApples < 5 t')
})

test('A picture without text is an empty document with a warning', async () => {
  const { markdown, warning } = await read(fixture('letter.png'), 'a.png', { engine: fakeOcr([]) })
  expect([markdown, warning]).toEqual(['', 'No text was found in the image.'])
})

test('A language that is not installed is an error with the package to install', async () => {
  const engine: Ocr = tesseract({ threads: 1 })
  await expect(read(fixture('letter.png'), 'a.png', { engine, languages: ['eng', 'xyz'] })).rejects.toMatchObject({
    code: 'not_configured',
    message: expect.stringContaining('npm install @tesseract.js-data/xyz'),
  })
})

describe('A TIFF of several pages', () => {
  const numbered = (fail: (number: number, options: OcrOptions) => Promise<void>): Ocr => {
    let count = 0
    return fakeOcr(async (_, options) => {
      const number = (count += 1)
      await fail(number, options)
      return [`Text of page ${['one', 'two', 'three', 'four'][number - 1]}`]
    })
  }
  const failing = (error: EngineError, page: number): Ocr =>
    numbered((number) => (number === page ? Promise.reject(error) : Promise.resolve()))
  const small = { width: 300, height: 200 }
  const tiff = makeTiff([small, small, small])

  test('has the text of its pages, and costs a credit for each', async () => {
    const { markdown, metadata, warning } = await read(tiff, 'a.tiff', { engine: numbered(() => Promise.resolve()) })
    for (const word of ['one', 'two', 'three']) expect(markdown).toContain(`Text of page ${word}`)
    expect(metadata).toMatchObject({ numPages: 3, totalPages: 3, creditsUsed: 3 })
    expect(warning).toBeUndefined()
  })

  test('has the pages that were recognized in time', async () => {
    const engine = numbered(async (number, { timeout }) => {
      if (number === 1) return
      await new Promise((resolve) => setTimeout(resolve, timeout))
      throw new EngineError('timeout', 'too late')
    })
    const { markdown, metadata, warning } = await read(tiff, 'a.tiff', { engine, timeout: 10_000 })
    expect(markdown).toContain('Text of page one')
    expect(metadata).toMatchObject({ numPages: 1, totalPages: 3, creditsUsed: 1 })
    expect(warning).toBe('Only the first 1 of 3 pages of the image were read.')
  })

  test('has the other pages if one cannot be recognized', async () => {
    const engine = failing(new EngineError('unsupported_file', 'Damaged.'), 2)
    const { markdown, metadata, warning } = await read(tiff, 'a.tiff', { engine })
    expect(markdown).toContain('Text of page three')
    expect(metadata).toMatchObject({ numPages: 2, totalPages: 3, creditsUsed: 2 })
    expect(warning).toBe('The text of page 2 of the image could not be recognized. Damaged.')
  })

  test('has the other pages if one has too many pixels', async () => {
    const engine = numbered(() => Promise.resolve())
    const file = makeTiff([{ width: 3_000, height: 200 }, small])
    const { metadata, warning } = await read(file, 'a.tiff', { engine, maxPixels: 100_000 })
    expect(metadata).toMatchObject({ numPages: 1, totalPages: 2 })
    expect(warning).toMatch(
      /^The text of page 1 of the image could not be recognized\. The image has 3000 × 200 pixels/,
    )
  })

  test('sends no further page to a service that fails, and fails with its error if no page was recognized', async () => {
    const down = new EngineError('connection_failed', 'The service refused the connection.')
    const { markdown, warning } = await read(tiff, 'a.tiff', { engine: failing(down, 2) })
    expect(markdown).toContain('Text of page one')
    expect(markdown).not.toContain('Text of page three')
    expect(warning).toContain('The text of page 2 of the image could not be recognized. The service refused')
    await expect(read(tiff, 'a.tiff', { engine: failing(down, 1) })).rejects.toMatchObject({
      code: 'connection_failed',
    })
  })
})

test('The price of a request includes the pages of an image only if its parsers read images', async () => {
  await using engine = createEngine({ plugins: [ocr({ engine: fakeOcr([]) })] })
  const maxOf = (parsers: ('pdf' | 'image')[]): number | undefined =>
    engine.preview('scrape', { url: 'https://example.com/', parsers }).max
  expect([maxOf([]), maxOf(['pdf']), maxOf(['image'])]).toEqual([1, 1, 100])
})

test('A crawl visits images only if its parsers name them and the engine has the plugin', async () => {
  const site = createServer((request, response) => {
    const isImage = request.url === '/scan.png'
    response.setHeader('content-type', isImage ? 'image/png' : 'text/html')
    response.end(isImage ? fixture('letter.png') : '<h1>Scans</h1><a href="/scan.png">One</a>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const crawl = async (plugins: ReturnType<typeof ocr>[], parsers?: ('pdf' | 'image')[]): Promise<number> => {
    await using engine = createEngine({ allowPrivate: ['127.0.0.1/32'], plugins })
    const job = await engine.crawl({ url, sitemap: 'skip', scrapeOptions: { ...(parsers && { parsers }) } })
    let pages = 0
    for await (const { markdown } of job.documents()) if (markdown !== undefined) pages += 1
    return pages
  }
  try {
    expect(await crawl([ocr({ engine: fakeOcr(['Found it']) })])).toBe(1)
    expect(await crawl([ocr({ engine: fakeOcr(['Found it']) })], ['pdf', 'image'])).toBe(2)
    expect(await crawl([], ['pdf', 'image'])).toBe(1)
  } finally {
    site.close()
  }
})
