import { readFileSync } from 'node:fs'

import { createEngine } from '@harvestman/core'
import { afterAll, expect, test } from 'vitest'

import { pdf } from '../src/index.ts'
import { readPng } from './read-png.ts'

const engine = createEngine({ plugins: [pdf({ threads: 1 })] })
afterAll(() => engine.close())

// LaTeX, Chromium, Ghostscript and LibreOffice made the files, with photo.jpg and chart.png. qpdf encrypted one of them.
function fixture(name: string): Buffer {
  return readFileSync(new URL(`fixtures/originals/${name}`, import.meta.url))
}

async function figuresOf(bytes: Buffer): Promise<Buffer[]> {
  const parsers = [{ type: 'pdf', figures: true }] as const
  const options = { name: 'figures.pdf', timeout: 60_000, formats: ['markdown'], parsers } as const
  const { blocks } = await engine.parse(bytes, options)
  const figures = blocks?.flatMap(({ items }) => items).filter(({ type }) => type === 'figure') ?? []
  return figures.map(({ image }) => Buffer.from(String(image).split(',')[1] ?? '', 'base64'))
}

/** Type, width and height of a picture. A drawn picture of a figure has 150 pixels per inch. */
function describe(image: Buffer | undefined): string {
  if (image?.subarray(0, 3).toString('hex') === 'ffd8ff') return 'JPEG'
  return `PNG ${image?.readUInt32BE(16)}x${image?.readUInt32BE(20)}`
}

test.each(['latex', 'chromium', 'encrypted'])(
  'a JPEG in a file of %s is returned unchanged, and another image has the same pixels as PNG',
  async (maker) => {
    const [photo, chart] = await figuresOf(fixture(`${maker}.pdf`))
    expect(photo?.equals(fixture('photo.jpg'))).toBe(true)
    expect(readPng(chart!)).toEqual(readPng(fixture('chart.png')))
  },
)

test.each([
  ['ghostscript', ['JPEG', 'PNG 160x120']],
  ['libreoffice', ['JPEG', 'JPEG']],
])('the JPEG files that %s has changed are those in the file', async (maker, types) => {
  const bytes = fixture(`${maker}.pdf`)
  const images = await figuresOf(bytes)
  expect(images.map(describe)).toEqual(types)
  expect(images.filter((image) => describe(image) === 'JPEG').every((image) => bytes.includes(image))).toBe(true)
})

test('an image is drawn from the page if it has opacity, text over it, a rotation or a clip path', async () => {
  const images = await figuresOf(fixture('variants.pdf'))
  expect(images.slice(0, 4).map(describe)).toEqual(['PNG 295x223', 'PNG 355x237', 'PNG 356x237', 'PNG 355x237'])
})

test('an image is drawn from the page if it is under an annotation other than a link, mixed with the page or on a rotated one', async () => {
  const [annotated, linked, transparent, mixed, rotated] = await figuresOf(fixture('overlays.pdf'))
  expect(linked?.equals(fixture('photo.jpg'))).toBe(true)
  const drawn = ['PNG 355x238', 'PNG 358x237', 'PNG 358x237', 'PNG 238x355']
  expect([annotated, transparent, mixed, rotated].map(describe)).toEqual(drawn)
})

test('a gray JPEG is unchanged, also in a form, and four colors or an EXIF orientation give a PNG', async () => {
  const [gray, colors, inForm, turned] = (await figuresOf(fixture('variants.pdf'))).slice(4)
  expect(gray?.equals(fixture('gray.jpg'))).toBe(true)
  expect(inForm?.equals(fixture('photo.jpg'))).toBe(true)
  expect([colors, turned].map(describe)).toEqual(['PNG 240x160', 'PNG 240x160'])
})

/** Replaces a text of the file with one of the same length. */
function changed(file: Buffer, old: Buffer | string, value: Buffer | string): Buffer {
  const at = file.indexOf(old)
  expect([at > 0, value.length]).toEqual([true, old.length])
  return Buffer.concat([file.subarray(0, at), Buffer.from(value as string, 'latin1'), file.subarray(at + old.length)])
}

test('a JPEG whose colors the file inverts is a PNG in the colors of the page', async () => {
  const [original, inverted] = await Promise.all(
    [fixture('latex.pdf'), changed(fixture('latex.pdf'), '/BitsPerComponent 8\n', '/Decode[1 0 1 0 1 0]')].map(
      async (file) => (await figuresOf(file))[0]!,
    ),
  )
  expect([original, inverted].map(describe)).toEqual(['JPEG', 'PNG 240x160'])
  // The upper left corner of the photo is green and blue.
  const [red = 0, green = 255] = readPng(inverted!).pixels
  expect([red > 200, green < 60]).toEqual([true, true])
})

test.each([
  ['without its end', 3_000],
  ['that is not a JPEG', 0],
])('a damaged image %s is drawn from the page', async (_, length) => {
  const photo = fixture('photo.jpg')
  const damaged = Buffer.concat([photo.subarray(0, length), Buffer.alloc(photo.length - length)])
  const images = await figuresOf(changed(fixture('latex.pdf'), photo, damaged))
  expect(images.map(describe)).toEqual(['PNG 356x238', 'PNG 160x120'])
})
