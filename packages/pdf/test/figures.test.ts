import { readFileSync } from 'node:fs'

import { createEngine } from '@harvestman/core'
import { afterAll, expect, test } from 'vitest'

import { pdf } from '../src/index.ts'
import { makePdf } from './make-pdf.ts'
import { readPng } from './read-png.ts'

const engine = createEngine({ plugins: [pdf()] })
afterAll(() => engine.close())

/** Width of a PNG file of red, green and blue in a data URL, and the color of its pixel at `x` and `y`. */
function pixelOf(url: unknown, x = 5, y = 5): { readonly width: number; readonly color: readonly number[] } {
  const { width, channels, pixels } = readPng(Buffer.from(String(url).split(',')[1] ?? '', 'base64'))
  const at = (y * width + x) * channels
  return { width, color: [...pixels.subarray(at, at + channels)] }
}

test.each([
  ['chromium', 439],
  ['libreoffice', 473],
  ['ghostscript', 473],
  ['cairo', 439],
])('the image and the drawing of a file of %s have their captions and pictures', async (maker, width) => {
  const bytes = readFileSync(new URL(`fixtures/figures/${maker}.pdf`, import.meta.url))
  const { blocks, warning } = await engine.parse(bytes, {
    name: 'figures.pdf',
    timeout: 60_000,
    formats: ['markdown'],
    parsers: [{ type: 'pdf', figures: true }],
  })
  const items = blocks?.flatMap((page) => page.items) ?? []
  expect(items.map(({ type, label }) => [type, label])).toEqual([
    ['text', null],
    ['figure', 'Figure 1'],
    ['caption', 'Figure 1'],
    ['text', null],
    ['figure', 'Figure 2'],
    ['caption', 'Figure 2'],
    ['text', null],
  ])
  const image = pixelOf(items[1]?.image, 0, 0)
  expect(image.width).toBe(24)
  expect(Math.abs(pixelOf(items[4]?.image).width - width)).toBeLessThan(3)
  const [red = 255, green = 255, blue = 0] = image.color
  expect([red < 60, green < 60, blue > 100]).toEqual([true, true, true])
  expect(items.filter(({ image }) => image !== undefined)).toHaveLength(2)
  expect(warning).toBeUndefined()
})

test('the picture of a page has its colors', async () => {
  const texts = [{ text: 'A page of one color.', x: 60, y: 400 }]
  const file = makePdf({ pages: [{ texts, raw: '0 0 1 rg 0 500 1000 1000 re f' }] })
  const parsers = [{ type: 'pdf', pageImages: true }] as const
  const { pageImages } = await engine.parse(file, { name: 'color.pdf', timeout: 60_000, parsers })
  expect(pixelOf(pageImages?.[0]?.url).color).toEqual([0, 0, 255])
})

test('a request that redacts personal data has a warning about the pictures', async () => {
  const bytes = readFileSync(new URL('fixtures/figures/cairo.pdf', import.meta.url))
  const { warning } = await engine.parse(bytes, {
    name: 'figures.pdf',
    timeout: 60_000,
    formats: ['markdown'],
    parsers: [{ type: 'pdf', figures: true }],
    redactPII: true,
  })
  expect(warning).toContain('the pictures in blocks may contain personal data')
})

test('a request that redacts personal data has no warning about pictures if there are none', async () => {
  const file = makePdf({ pages: [{ texts: [{ text: 'A page without pictures.', x: 60, y: 400 }] }] })
  const parsers = [{ type: 'pdf', figures: true }] as const
  const { warning } = await engine.parse(file, { name: 'plain.pdf', timeout: 60_000, parsers, redactPII: true })
  expect(warning).not.toContain('pictures')
})

test('pictures that do not fit into the document are left out', async () => {
  const bytes = readFileSync(new URL('fixtures/figures/cairo.pdf', import.meta.url))
  const parsers = [{ type: 'pdf', figures: true, pageImages: true }] as const
  await using small = createEngine({ plugins: [pdf({ threads: 1 })], limits: { documentBytes: 5_000 } })
  const { blocks, pageImages, warning } = await small.parse(bytes, { name: 'a.pdf', timeout: 60_000, parsers })
  expect(blocks?.[0]?.items.filter(({ type, image }) => type === 'figure' && image === undefined)).toHaveLength(1)
  expect(pageImages).toEqual([])
  expect(warning).toContain('left out: 2.')
})

test('without the option figures, the blocks have no pictures', async () => {
  const bytes = readFileSync(new URL('fixtures/figures/cairo.pdf', import.meta.url))
  const options = {
    name: 'figures.pdf',
    timeout: 60_000,
    formats: ['markdown'] as const,
    parsers: [{ type: 'pdf', blocks: true }] as const,
  }
  const { blocks } = await engine.parse(bytes, options)
  const figures = blocks?.[0]?.items.filter(({ type }) => type === 'figure') ?? []
  expect(figures.map(({ image }) => image)).toEqual([undefined, undefined])
})
