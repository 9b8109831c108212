import { readFileSync } from 'node:fs'

import { PDFiumLibrary } from '@hyzyla/pdfium'
import { expect, test } from 'vitest'

import { readOriginals } from './originals.ts'

// The first image has 240 x 160 pixels and 7,037 bytes, the second 160 x 120 pixels and 524 bytes as PNG.
const bytes = readFileSync(new URL('../../test/fixtures/originals/latex.pdf', import.meta.url))
const parts = [
  [0.243, 0.1739, 0.5209, 0.317],
  [0.243, 0.3485, 0.4746, 0.4827],
] as const

async function sizesWithin(budget: { bytes: number; pixels: number }): Promise<(number | undefined)[]> {
  const pdfium = await PDFiumLibrary.init()
  const file = await pdfium.loadDocument(bytes)
  const found = await readOriginals(file.getPage(0), parts, budget, (pdf) => pdfium.loadDocument(pdf))
  file.destroy()
  return found.map((image) => image?.file.byteLength)
}

test('an image with more pixels than are left is not decoded, and a smaller one after it is', async () => {
  const budget = { bytes: 100_000, pixels: 240 * 160 - 1 }
  expect(await sizesWithin(budget)).toEqual([undefined, 524])
  expect(budget).toEqual({ bytes: 100_000 - 524, pixels: 240 * 160 - 1 - 160 * 120 })
})

test('images with more bytes than are left are not returned', async () => {
  expect(await sizesWithin({ bytes: 8_000, pixels: 1_000_000 })).toEqual([7_037, undefined])
  expect(await sizesWithin({ bytes: 1_000, pixels: 1_000_000 })).toEqual([undefined, undefined])
})

test('a part of a page that is not the box of the image has no image', async () => {
  const pdfium = await PDFiumLibrary.init()
  const file = await pdfium.loadDocument(bytes)
  const part = [0.243, 0.1739, 0.55, 0.317] as const
  const budget = { bytes: 100_000, pixels: 1_000_000 }
  expect(await readOriginals(file.getPage(0), [part], budget, (pdf) => pdfium.loadDocument(pdf))).toEqual([undefined])
  file.destroy()
})
