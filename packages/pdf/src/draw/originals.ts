// Finds images of a PDF that are a whole figure, and returns them with all their pixels.
import type { Box } from '../types.ts'
import { multiply } from '../read/rules.ts'
import { colorSpaceOf, decodeImage, filtersOf, isOpaque, rawDataOf, rawSizeOf, sizeOf } from './bitmap.ts'
import type { Share } from './crop.ts'
import { readJpeg } from './jpeg.ts'
import { closePage, handlesOf, listAnnotations, listObjects, matrixOf, pageBoxOf } from './page-objects.ts'
import type { LoadedPage, PageObject } from './page-objects.ts'
import type { OpenPdf, PdfPage } from './pdfium.ts'
import { encodePng, type Pixels } from './png.ts'
import { wrapJpeg } from './wrap-jpeg.ts'

/** Remaining limits of the original images of several pages. Each image that is read is subtracted. */
export interface OriginalsBudget {
  bytes: number
  pixels: number
}

/** Maximum number of pixels of the images of a task. The decoded pixels have up to four bytes each. */
export const maxOriginalPixels = 25_000_000
/** Maximum number of points of an image on its page, each of which is a pixel of the test for masks. */
const maxPoints = 4_000_000
/** Maximum distance between the edges of a figure and those of its image, in points. */
const tolerance = 2
// Of images that are stored.
const level = 6

/**
 * Returns the image of each of these parts of a page that is one upright image without masks, with nothing over it: a JPEG file
 * as it is in the PDF, or its pixels as PNG. Returns `undefined` for other parts, damaged images, and images beyond the budget.
 */
export async function readOriginals(
  page: PdfPage,
  parts: readonly Share[],
  budget: OriginalsBudget,
  open: OpenPdf,
): Promise<(Uint8Array<ArrayBuffer> | undefined)[]> {
  const loaded = handlesOf(page)
  const { pdfium } = loaded
  if (budget.bytes <= 0 || pdfium._FPDFPage_GetRotation(loaded.page) !== 0) return []
  const objects = listObjects(loaded)
  const annotations = listAnnotations(loaded)
  if (!objects || !annotations) return []
  const pageBox = pageBoxOf(loaded)
  const originals: (Uint8Array<ArrayBuffer> | undefined)[] = []
  for (const part of parts) {
    const image = imageAt(objects, boxOf(part, pageBox))
    const isFree = image && !isCovered(image, objects, annotations, loaded)
    const original = isFree ? await readImage(image, loaded, budget, open) : undefined
    budget.bytes -= original?.byteLength ?? 0
    originals.push(original)
  }
  return originals
}

function boxOf([left, top, right, bottom]: Share, page: Box): Box {
  const [width, height] = [page.right - page.left, page.top - page.bottom]
  return {
    ...{ left: page.left + left * width, right: page.left + right * width },
    ...{ top: page.top - top * height, bottom: page.top - bottom * height },
  }
}

/** Returns the last image that has this box. */
function imageAt(objects: readonly PageObject[], { left, right, top, bottom }: Box): PageObject | undefined {
  const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance
  return objects.findLast(
    ({ isImage, box }) =>
      isImage &&
      isSame(box.left, left) &&
      isSame(box.right, right) &&
      isSame(box.top, top) &&
      isSame(box.bottom, bottom),
  )
}

/** Returns whether a visible object or an annotation is drawn over an image. */
function isCovered(
  image: PageObject,
  objects: readonly PageObject[],
  annotations: readonly Box[],
  { pdfium }: LoadedPage,
): boolean {
  if (annotations.some((box) => doOverlap(box, image.box))) return true
  for (const { box, isText, handle } of objects.slice(objects.indexOf(image) + 1)) {
    if (!doOverlap(box, image.box)) continue
    if (!isText || pdfium._FPDFTextObj_GetTextRenderMode(handle) !== invisible) return true
  }
  return false
}

// Of recognized text over a scan.
const invisible = 3
// Edges of neighbors may touch.
const touching = 1

function doOverlap(a: Box, b: Box): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom)
  return width > touching && height > touching
}

/** Returns whether an image is upright, opaque and not cut on its page. */
function isWhole({ handle, forms, outer }: PageObject, loaded: LoadedPage): boolean {
  const { pdfium } = loaded
  const own = matrixOf(pdfium, handle)
  const [a, b, c, d] = multiply(outer, own)
  if (!(a > 0 && d > 0 && Math.abs(b) + Math.abs(c) < tolerance)) return false
  if (Math.abs(own[0] * own[3]) > maxPoints) return false
  return ![handle, ...forms].some((object) => pdfium._FPDFPageObj_HasTransparency(object)) && isOpaque(loaded, handle)
}

/** Returns an image as a JPEG or a PNG file, within the budget, if it is whole. */
async function readImage(
  image: PageObject,
  loaded: LoadedPage,
  budget: OriginalsBudget,
  open: OpenPdf,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { handle } = image
  const size = sizeOf(loaded.pdfium, handle)
  const count = size.width * size.height
  if (count === 0 || count > budget.pixels || rawSizeOf(loaded.pdfium, handle) > budget.bytes) return undefined
  budget.pixels -= count
  if (colorSpaceOf(loaded, handle) === 0 || !isWhole(image, loaded)) return undefined
  const decoded = decodeImage(loaded.pdfium, handle, size)
  if (!decoded) return undefined
  const jpeg = await jpegOf(handle, decoded, loaded, open)
  if (jpeg) return jpeg
  const png = encodePng(decoded, level)
  return png.byteLength <= budget.bytes ? png : undefined
}

/** Returns the JPEG file of an image, if a viewer that has only this file shows the same picture. */
async function jpegOf(
  image: number,
  decoded: Pixels,
  { pdfium }: LoadedPage,
  open: OpenPdf,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const filters = filtersOf(pdfium, image)
  if (filters.length !== 1 || filters[0] !== 'DCTDecode') return undefined
  const bytes = rawDataOf(pdfium, image)
  const facts = readJpeg(bytes)
  if (!facts || facts.components !== decoded.channels || facts.orientation !== 1) return undefined
  if (facts.width !== decoded.width || facts.height !== decoded.height) return undefined
  // The PDF may have other colors for the same data, which the library does not report: a color space, or inverted values.
  const file = await open(wrapJpeg(bytes, facts))
  try {
    const page = file.getPage(0)
    const alone = decodeImage(pdfium, pdfium._FPDFPage_GetObject(handlesOf(page).page, 0), facts)
    closePage(page)
    return alone && doLookSame(alone, decoded) ? bytes : undefined
  } finally {
    file.destroy()
  }
}

// Of 256. A color profile changes colors less.
const maxDifference = 8
const maxSamples = 1_000_000

function doLookSame(a: Pixels, b: Pixels): boolean {
  if (a.pixels.length !== b.pixels.length) return false
  const distance = Math.ceil(a.pixels.length / maxSamples)
  // With a multiple of three, only one of the channels would be compared.
  const step = distance % 3 === 0 ? distance + 1 : distance
  let [sum, count] = [0, 0]
  for (let at = 0; at < a.pixels.length; at += step, count += 1) sum += Math.abs(a.pixels[at]! - b.pixels[at]!)
  return sum <= maxDifference * count
}
