import { EngineError } from '@harvestman/ports'
import { loadOptional } from '@harvestman/toolbox/load-optional'
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'

import { encodePng } from './png.ts'

export interface DrawTask {
  readonly bytes: Uint8Array
  readonly password?: string | undefined
  /** Numbers of the pages, from 1. */
  readonly pages: readonly number[]
  /** Pages of these numbers are drawn only if they have a picture. */
  readonly onlyWithPicture: readonly number[]
  readonly dotsPerInch: number
  /** Larger pages are drawn with fewer dots per inch. */
  readonly maxPixels: number
}

/** A page as a picture. */
export interface DrawnPage {
  readonly number: number
  /** In gray; absent if nothing is on the page, or nothing that is wanted. */
  readonly png?: Uint8Array<ArrayBuffer>
  /** Size in pixels. */
  readonly width: number
  readonly height: number
  readonly dotsPerInch: number
  /** The page could not be drawn. */
  readonly isBroken?: boolean
}

const pointsPerInch = 72
// White paper, also in a scan with little noise.
const white = 245

let library: Promise<{ loadDocument(bytes: Uint8Array, password?: string): Promise<PDFiumDocument> }> | undefined

/**
 * Draws pages of a PDF in gray. Rejects with `unsupported_file` if the file cannot be opened, and with `not_configured` if the
 * library is not installed.
 */
export async function drawPages({ bytes, password, pages, ...options }: DrawTask): Promise<readonly DrawnPage[]> {
  library ??= loadOptional('@hyzyla/pdfium', 'OCR of a PDF', () => import('@hyzyla/pdfium')).then(({ PDFiumLibrary }) =>
    PDFiumLibrary.init(),
  )
  const pdfium = await library
  const file = await pdfium.loadDocument(bytes, password).catch((cause: unknown) => {
    throw new EngineError('unsupported_file', 'The pages of the PDF cannot be drawn. Save it again.', { cause })
  })
  try {
    const drawn: DrawnPage[] = []
    for (const number of pages) drawn.push(await drawPage(file, number, options).catch(() => broken(number)))
    return drawn
  } finally {
    file.destroy()
  }
}

function broken(number: number): DrawnPage {
  return { number, width: 0, height: 0, dotsPerInch: 0, isBroken: true }
}

async function drawPage(
  file: PDFiumDocument,
  number: number,
  { onlyWithPicture, dotsPerInch: wanted, maxPixels }: Omit<DrawTask, 'bytes' | 'password' | 'pages'>,
): Promise<DrawnPage> {
  const page = file.getPage(number - 1)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const pixels = (originalWidth * originalHeight * wanted ** 2) / pointsPerInch ** 2
  const dotsPerInch = wanted * Math.min(1, Math.sqrt(maxPixels / pixels))
  if (onlyWithPicture.includes(number) && !hasPicture(page)) return { number, width: 0, height: 0, dotsPerInch }
  const { data, width, height } = await page.render({
    scale: dotsPerInch / pointsPerInch,
    colorSpace: 'Gray',
    render: (bitmap) => Promise.resolve(bitmap.data),
  })
  if (isBlank(data)) return { number, width, height, dotsPerInch }
  return { number, png: encodePng({ gray: data, width, height }), width, height, dotsPerInch }
}

// Real pages have few pictures, and those are the first objects of a scan.
const maxObjects = 2_000

function hasPicture(page: PDFiumPage): boolean {
  const count = Math.min(maxObjects, page.getObjectCount())
  for (let index = 0; index < count; index += 1) {
    // A form may contain pictures.
    if (['image', 'form'].includes(page.getObject(index).type)) return true
  }
  return false
}

function isBlank(gray: Uint8Array): boolean {
  return gray.every((value) => value > white)
}
