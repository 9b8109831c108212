import { inflateSync } from 'node:zlib'

import { createEngine } from '@harvestman/core'
import { pdf } from '@harvestman/pdf'
import type { Ocr } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { ocr } from '../src/index.ts'
import { fakeOcr } from './fake-ocr.ts'
import { fixture, makeScan } from './scan.ts'
import { makeTiff } from './tiff.ts'

const jpeg = { jpeg: fixture('letter.jpg'), size: [800, 560] } as const
const own = 'This page has its own text, which is long enough to need no recognition at all.'

/** Returns text recognition that turned each picture. */
function turning(rotation: 0 | 90 | 180 | 270, skew: number): Ocr {
  const engine = fakeOcr(['Found it'])
  return { name: 'turning', read: async (...given) => ({ ...(await engine.read(...given)), rotation, skew }) }
}

async function read(file: Uint8Array, name: string, request: object, engine: Ocr = fakeOcr(['Found it'])) {
  await using reader = createEngine({ plugins: [pdf({ threads: 1 }), ocr({ engine })] })
  return await reader.parse(file, { name, ...request })
}

const ofPdf = { parsers: [{ type: 'pdf', pageImages: true }] }
const ofImage = { parsers: [{ type: 'image', blocks: true, pageImages: true }] }

/** Returns the size and the number of channels of a PNG in a data URL. */
function pngOf(url: string | undefined) {
  const png = Buffer.from((url ?? '').replace('data:image/png;base64,', ''), 'base64')
  const data = inflateSync(png.subarray(png.indexOf('IDAT') + 4))
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  return { width, height, channels: (data.length / height - 1) / width }
}

test('each page of a PDF has a picture of 120 dots per inch, in gray if it has no colors', async () => {
  const { pageImages, warning, ...rest } = await read(makeScan([own, jpeg]), 'a.pdf', ofPdf)
  expect(pageImages?.map(({ pageNumber, rotation }) => [pageNumber, rotation])).toEqual([
    [1, 0],
    [2, 0],
  ])
  expect(pageImages?.map(({ url }) => pngOf(url))).toEqual([
    { width: 991, height: 695, channels: 1 },
    { width: 991, height: 695, channels: 1 },
  ])
  expect(warning).toBeUndefined()
  expect(rest).not.toHaveProperty('blocks')
})

test('a picture has the rotation with which the text was recognized', async () => {
  const { pageImages } = await read(makeScan([own, jpeg]), 'a.pdf', ofPdf, turning(90, 1.5))
  expect(pageImages?.map(({ rotation }) => rotation)).toEqual([0, 91.5])
})

test('an image is its own picture, and has blocks', async () => {
  const file = fixture('letter.jpg')
  const { pageImages, blocks } = await read(file, 'a.jpg', ofImage, turning(180, -2))
  const url = `data:image/jpeg;base64,${Buffer.from(file).toString('base64')}`
  expect(pageImages).toEqual([{ pageNumber: 1, url, rotation: 178 }])
  expect(blocks).toMatchObject([{ pageNumber: 1, items: [{ content: 'Found it', source: 'ocr' }] }])
})

test('an SVG has its paragraphs as blocks, and a warning that it has no picture', async () => {
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><text>One</text><text>Two</text></svg>')
  const { blocks, pageImages, warning } = await read(svg, 'a.svg', ofImage)
  expect(blocks?.[0]?.items.map(({ type, content, bbox }) => [type, content, bbox])).toEqual([
    ['text', 'One', null],
    ['text', 'Two', null],
  ])
  expect([pageImages, warning]).toEqual([[], 'Page 1 has no picture. The file is an SVG, which is not drawn.'])
})

test('a TIFF has a picture of each page as PNG', async () => {
  const size = { width: 40, height: 30 }
  const { pageImages } = await read(makeTiff([size, size]), 'a.tiff', ofImage)
  expect(pageImages?.map(({ url }) => url.slice(0, 15))).toEqual(['data:image/png;', 'data:image/png;'])
})

test('at most 50 pages have a picture, and a warning names the others', async () => {
  const pages = Array.from({ length: 52 }, (_, index) => `${own} ${'abcdefghij'.repeat(1 + index)}`)
  const { pageImages, warning } = await read(makeScan(pages), 'a.pdf', ofPdf)
  expect(pageImages).toHaveLength(50)
  expect(warning).toMatch(/^Pages 51, 52 have no picture\. A file has at most 50/)
})

test('with redactPII the warning says that pictures are not redacted', async () => {
  const { warning } = await read(makeScan([own]), 'a.pdf', { ...ofPdf, redactPII: true })
  expect(warning).toContain('pageImages may contain personal data')
})
