import { expect, test } from 'vitest'

import { drawPages } from './draw.ts'

const size = 100
const red = Buffer.alloc(size * size * 3, Buffer.from('ff0000', 'hex'))
const green = Buffer.alloc(size * size * 3, Buffer.from('00ff00', 'hex'))
const transparent = Buffer.alloc(size * size)

function stream(entries: string, data: Buffer | string): Buffer {
  const head = `<<${entries}/Length ${data.length}>>\nstream\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(data as string), Buffer.from('\nendstream')])
}

function image(data: Buffer, entries = '', colors = 'RGB'): Buffer {
  const type = '/Type/XObject/Subtype/Image/BitsPerComponent 8'
  return stream(`${type}/Width ${size}/Height ${size}/ColorSpace/Device${colors}${entries}`, data)
}

/** Returns a form with this content. Its only resource is the image of object 6. */
function form(content: string): Buffer {
  return stream('/Type/XObject/Subtype/Form/BBox[-1000 -1000 1000 1000]/Resources<</XObject<</I 6 0 R>>>>', content)
}

/** Returns a file with a page of 400 points. The objects after the content, from number 6, are I, J and K. Object 5 is a layer. */
function pdfOf(content: string, ...objects: Buffer[]): Uint8Array {
  const names = objects.map((_, index) => `/${'IJK'[index]} ${index + 6} 0 R`).join('')
  const bodies = [
    '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R]/D<</OFF[5 0 R]>>>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Resources<</XObject<<${names}>>>>/Contents 4 0 R>>`,
    stream('', content),
    '<</Type/OCG/Name(Hidden)>>',
    ...objects,
  ]
  const parts = bodies.flatMap((body, index) => [`${index + 1} 0 obj\n`, body, '\nendobj\n'])
  // PDFium finds the objects without their table.
  const file = ['%PDF-1.7\n', ...parts, `trailer\n<</Size ${bodies.length + 1}/Root 1 0 R>>\n%%EOF`]
  return new Uint8Array(Buffer.concat(file.map((part) => Buffer.from(part as string))))
}

const place = 'q 200 0 0 200 100 100 cm /I Do Q'

/** Returns the width of the picture of the middle of the page. An original image has 100 pixels, a drawn part 417. */
async function widthOf(bytes: Uint8Array): Promise<number> {
  const crops = [[[0.25, 0.25, 0.75, 0.75]]] as const
  const sizes = { dotsPerInch: 150, maxPixels: 6_000_000, originalBytes: 1_000_000 }
  const [page] = await drawPages({ bytes, pages: [1], onlyWithPicture: [], crops, ...sizes })
  const [picture] = page!.parts!
  expect(page!.originalBytes).toBe(Buffer.from(picture!).readUInt32BE(16) === size ? picture!.byteLength : 0)
  return Buffer.from(picture!).readUInt32BE(16)
}

test('an image that the page shows unchanged is an original, also in a form', async () => {
  expect(await widthOf(pdfOf(place, image(red)))).toBe(size)
  expect(await widthOf(pdfOf('/J Do', image(red), form(place)))).toBe(size)
})

test('an image with fine black and white details beside the pixels of the page is an original', async () => {
  const details = Buffer.alloc(size * size * 3)
  for (let at = 0; at < size * size; at += 1) {
    const isBlack = (((at % size) * 7919) ^ (Math.floor(at / size / 2) * 104_729)) % 5 === 0
    details.fill(isBlack ? 0 : 255, at * 3, at * 3 + 3)
  }
  expect(await widthOf(pdfOf('q 199.5 0 0 199.5 100.3 100.3 cm /I Do Q', image(details)))).toBe(size)
})

test.each([
  ['the form of the image has a clip path', pdfOf('q 180 180 40 40 re W n /J Do Q', image(red), form(place))],
  [
    'the image has a transparent mask in a form that enlarges it',
    pdfOf(
      'q 200 0 0 200 100 100 cm /K Do Q',
      image(red, '/SMask 7 0 R'),
      image(transparent, '', 'Gray'),
      form('/I Do'),
    ),
  ],
  [
    'the image is in a hidden layer over another one',
    pdfOf(`${place} q 200 0 0 200 100 100 cm /J Do Q`, image(red), image(green, '/OC 5 0 R')),
  ],
  ['a line of a point crosses the image', pdfOf(`${place} 1 w 100 200 m 300 200 l S`, image(red))],
  ['a line of nearly the same color crosses it', pdfOf(`${place} 0.9 0 0 rg 120 120 60 0.5 re f`, image(red))],
])('a part is drawn if %s', async (_, bytes) => {
  expect(await widthOf(bytes)).toBe(417)
})
