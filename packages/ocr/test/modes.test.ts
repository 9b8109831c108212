import { createEngine } from '@harvestman/core'
import { pdf } from '@harvestman/pdf'
import { EngineError, type Ocr } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'

import { ocr } from '../src/index.ts'
import { fakeOcr } from './fake-ocr.ts'
import { fixture, makeScan } from './scan.ts'

const jpeg = { jpeg: fixture('letter.jpg'), size: [800, 560] } as const
const own = 'This page has its own text, which is long enough to need no recognition at all.'
const other = 'Another page with text of its own, which differs from that of the first one.'
const found = ['Words that were recognized']
const numbered = () => {
  let page = 0
  return fakeOcr(() => Promise.resolve([`Recognized as number ${['one', 'two', 'three'][page++]}`]))
}

interface Request {
  readonly timeout?: number
  readonly parsers?: { type: 'pdf'; mode: 'fast' | 'auto' | 'ocr'; maxPages?: number }[]
}

async function read(
  file: Uint8Array,
  engine: Ocr | undefined,
  request: Request = {},
  options: Parameters<typeof pdf>[0] = {},
) {
  const plugins = [pdf({ threads: 1, ...options }), ...(engine ? [ocr({ engine })] : [])]
  await using reader = createEngine({ plugins })
  return await reader.parse(file, request)
}

const mode = (name: 'fast' | 'auto' | 'ocr', maxPages?: number): Request => ({
  parsers: [{ type: 'pdf', mode: name, ...(maxPages !== undefined && { maxPages }) }],
})

describe('The mode auto', () => {
  test('recognizes only the pages without usable text', async () => {
    const engine = fakeOcr(found)
    const { markdown, metadata } = await read(makeScan([own, jpeg, other]), engine)
    expect(engine.pictures).toHaveLength(1)
    expect(markdown).toBe(`${own}\n\n# Words that were recognized\n\n${other}`)
    expect(metadata).toMatchObject({ numPages: 3, creditsUsed: 3 })
  })

  test('recognizes a page whose font has wrong codes', async () => {
    const garbled = '#$^~|#<{}~^ |[]#~{}^< ~^#|{}[]<^ #~|^{}~#<'
    const { markdown } = await read(makeScan([own, garbled]), fakeOcr(found))
    expect(markdown).toBe(`${own}\n\n# Words that were recognized`)
  })

  test('leaves a page with a few words and no picture as it is', async () => {
    const engine = fakeOcr(found)
    const { markdown, warning } = await read(makeScan(['Chapter two']), engine)
    expect([markdown, warning, engine.pictures]).toEqual(['Chapter two', undefined, []])
  })

  test('names the pages without text, and does not recognize an empty one', async () => {
    const engine = fakeOcr([])
    const { warning } = await read(makeScan([own, '', jpeg]), engine)
    expect(engine.pictures).toHaveLength(1)
    expect(warning).toBe('Pages 2, 3 of the PDF had no text: neither in the file nor in the picture of the page.')
  })

  test('reads at most the requested pages', async () => {
    const engine = fakeOcr(found)
    const { metadata } = await read(makeScan([jpeg, jpeg, jpeg]), engine, mode('auto', 2))
    expect(engine.pictures).toHaveLength(2)
    expect(metadata).toMatchObject({ numPages: 2, totalPages: 3, creditsUsed: 2 })
  })

  test('has the pages that were recognized in time, and names the others', async () => {
    const slow = fakeOcr(async (_, { timeout }) => {
      if (slow.pictures.length === 1) return found
      await new Promise((resolve) => setTimeout(resolve, timeout))
      throw new EngineError('timeout', 'too late')
    })
    const { markdown, warning } = await read(makeScan([jpeg, jpeg, jpeg]), slow, { timeout: 10_000 })
    expect(markdown).toBe('Words that were recognized')
    expect(warning).toMatch(/^Pages 2, 3 of the PDF were not recognized within the limits\. Raise the timeout/)
  })

  test('recognizes at most the maximum number of pages', async () => {
    const { warning } = await read(makeScan([jpeg, jpeg]), fakeOcr(found), {}, { ocr: { maxPages: 1 } })
    expect(warning).toMatch(/^Page 2 of the PDF was not recognized within the limits\./)
  })

  test('has the own text and a warning if nothing can be recognized', async () => {
    const without = fakeOcr(() => Promise.reject(new EngineError('not_configured', 'The data is not installed.')))
    const { markdown, warning } = await read(makeScan([own, jpeg]), without)
    expect(markdown).toBe(own)
    expect(warning).toMatch(/^Text in images of the PDF was not recognized\. The data is not installed\./)
  })
})

describe('The mode auto of a file without any text of its own', () => {
  const down = new EngineError('connection_failed', 'The OCR service https://ocr.example.com refused the connection.')

  test('fails with the error of a service that is down', async () => {
    const reading = read(
      makeScan([jpeg, '', jpeg]),
      fakeOcr(() => Promise.reject(down)),
    )
    await expect(reading).rejects.toMatchObject({ code: 'connection_failed', message: down.message })
  })

  test('has the pages that were recognized before, and a warning', async () => {
    const once = fakeOcr(() => (once.pictures.length === 1 ? Promise.resolve(found) : Promise.reject(down)))
    const { markdown, warning } = await read(makeScan([jpeg, jpeg]), once)
    expect(markdown).toBe('Words that were recognized')
    expect(warning).toBe(`The text of page 2 of the PDF could not be recognized. ${down.message}`)
  })
})

describe('The mode ocr', () => {
  test('recognizes all pages', async () => {
    const engine = numbered()
    const { markdown } = await read(makeScan([own, jpeg]), engine, mode('ocr'))
    expect(engine.pictures).toHaveLength(2)
    expect(markdown).toBe('Recognized as number one\n\nRecognized as number two')
  })

  test('fails if nothing can be recognized', async () => {
    const without = fakeOcr(() => Promise.reject(new EngineError('not_configured', 'The data is not installed.')))
    await expect(read(makeScan([jpeg]), without, mode('ocr'))).rejects.toMatchObject({ code: 'not_configured' })
  })

  test('fails with the error of a service that is down, and has the pages that were recognized before', async () => {
    const down = new EngineError('connection_failed', 'The OCR service refused the connection.')
    await expect(
      read(
        makeScan([jpeg, jpeg]),
        fakeOcr(() => Promise.reject(down)),
        mode('ocr'),
      ),
    ).rejects.toMatchObject({
      code: 'connection_failed',
    })
    const once = fakeOcr(() => (once.pictures.length === 1 ? Promise.resolve(found) : Promise.reject(down)))
    const { markdown, warning } = await read(makeScan([jpeg, jpeg]), once, mode('ocr'))
    expect(markdown).toBe('Words that were recognized')
    expect(warning).toBe(
      'The text of page 2 of the PDF could not be recognized. The OCR service refused the connection.',
    )
  })

  test('names the packages to install if the engine has no text recognition', async () => {
    await expect(read(makeScan([jpeg]), undefined, mode('ocr'))).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringMatching(/Add ocr\(\) of @harvestman\/documents\/ocr.*tesseract\.js-core/),
    })
  })
})

test('The mode fast recognizes nothing', async () => {
  const engine = fakeOcr(found)
  await expect(read(makeScan([jpeg]), engine, mode('fast'))).rejects.toMatchObject({
    code: 'unsupported_file',
    details: { reason: 'ocr_required' },
  })
  expect(engine.pictures).toEqual([])
})

test('A page is drawn at 200 dots per inch, and a huge one with fewer', async () => {
  const engine = fakeOcr(found)
  await read(makeScan([jpeg]), engine)
  const scan = Buffer.from(makeScan([jpeg]))
    .toString('latin1')
    .replaceAll('0 0 595 417', '0 0 9999 9999')
  await read(new Uint8Array(Buffer.from(scan, 'latin1')), engine)
  expect(engine.pictures[0]).toMatchObject({ type: 'image/png', width: 1652, height: 1158, dotsPerInch: 200 })
  const [, { width, height } = { width: 0, height: 0 }] = engine.pictures
  expect(width * height).toBeLessThanOrEqual(25_200_000)
})

test('A broken page costs only itself', async () => {
  const broken = { jpeg: fixture('letter.jpg').slice(0, 40), size: [800, 560] } as const
  const { markdown, warning } = await read(makeScan([own, broken]), fakeOcr(found))
  expect(markdown).toContain(own)
  expect(warning).toMatch(/Page 2 of the PDF/)
})
