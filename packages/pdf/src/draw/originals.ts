// Finds images of a PDF that are a whole figure, and returns them with all their pixels.
import type { Box } from '../types.ts'
import { multiply } from '../read/rules.ts'
import { colorSpaceOf, decodeImage, filtersOf, isOpaque, rawDataOf, rawSizeOf, sizeOf } from './bitmap.ts'
import type { Share } from './crop.ts'
import { readJpeg } from './jpeg.ts'
import { lookOfImage, type Look } from './look.ts'
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

/** An image of the file in place of a part of a page. */
export interface Original {
  /** A JPEG or a PNG file. */
  readonly file: Uint8Array<ArrayBuffer>
  /** The place of the image on its page, without clip paths. */
  readonly share: Share
  /** The look of that place if nothing hides or changes the image. */
  readonly look: Look
}

/** Maximum number of pixels of the images of a task. The decoded pixels have up to four bytes each. */
export const maxOriginalPixels = 25_000_000
/** Maximum number of points of an image in its form, each of which is a pixel of the test for masks. */
const maxPoints = 4_000_000
/** Maximum distance between each edge of a figure and the same edge of its image, in points. */
const tolerance = 2
// Of images that are stored.
const level = 6

/**
 * Returns the image of each of these parts of a page that is one upright image without masks, with nothing over it: a JPEG file
 * as it is in the PDF, or its pixels as PNG. Returns `undefined` for other parts, damaged images, and images beyond the budget.
 * Hidden layers, and clip paths and scaled masks in forms, are not noticed: the caller compares the look with the drawn page.
 */
export async function readOriginals(
  page: PdfPage,
  parts: readonly Share[],
  budget: OriginalsBudget,
  open: OpenPdf,
): Promise<(Original | undefined)[]> {
  const loaded = handlesOf(page)
  const { pdfium } = loaded
  if (budget.bytes <= 0 || pdfium._FPDFPage_GetRotation(loaded.page) !== 0) return []
  const objects = listObjects(loaded)
  const annotations = listAnnotations(loaded)
  if (!objects || !annotations) return []
  const pageBox = pageBoxOf(loaded)
  const originals: (Original | undefined)[] = []
  for (const part of parts) {
    const image = imageAt(objects, boxOf(part, pageBox))
    const isFree = image && !isCovered(image, objects, annotations, loaded)
    const original = isFree ? await readImage(image, loaded, budget, open) : undefined
    budget.bytes -= original?.file.byteLength ?? 0
    originals.push(original && { ...original, share: shareOf(image!.box, pageBox) })
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

function shareOf({ left, top, right, bottom }: Box, page: Box): Share {
  const [width, height] = [page.right - page.left, page.top - page.bottom]
  const [x1, x2] = [(left - page.left) / width, (right - page.left) / width]
  return [x1, (page.top - top) / height, x2, (page.top - bottom) / height]
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

/** Returns whether an object other than invisible text, or an annotation, is over an image. Both may be hidden. */
function isCovered(
  image: PageObject,
  objects: readonly PageObject[],
  annotations: readonly Box[],
  { pdfium }: LoadedPage,
): boolean {
  const inner = insideOf(image.box)
  if (annotations.some((box) => doOverlap(box, inner))) return true
  for (const { box, isText, handle } of objects.slice(objects.indexOf(image) + 1)) {
    if (!doOverlap(box, inner)) continue
    if (!isText || pdfium._FPDFTextObj_GetTextRenderMode(handle) !== invisible) return true
  }
  return false
}

// Of recognized text over a scan.
const invisible = 3
// Edges of neighbors may touch.
const touching = 1

function insideOf({ left, right, top, bottom }: Box): Box {
  return { left: left + touching, right: right - touching, top: top - touching, bottom: bottom + touching }
}

/** Returns whether two boxes overlap. A box may be as thin as a line. */
function doOverlap(a: Box, b: Box): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom)
  return width >= 0 && height >= 0
}

/** Returns whether an image is upright, opaque and not cut by its own clip path. */
function isPlain({ handle, forms, outer }: PageObject, loaded: LoadedPage): boolean {
  const { pdfium } = loaded
  const own = matrixOf(pdfium, handle)
  const [a, b, c, d] = multiply(outer, own)
  if (!(a > 0 && d > 0 && Math.abs(b) + Math.abs(c) < tolerance)) return false
  if (Math.abs(own[0] * own[3]) > maxPoints) return false
  return ![handle, ...forms].some((object) => pdfium._FPDFPageObj_HasTransparency(object)) && isOpaque(loaded, handle)
}

/** Returns an image as a JPEG or a PNG file, within the budget, if it is plain. */
async function readImage(
  image: PageObject,
  loaded: LoadedPage,
  budget: OriginalsBudget,
  open: OpenPdf,
): Promise<Omit<Original, 'share'> | undefined> {
  const { handle, box } = image
  const size = sizeOf(loaded.pdfium, handle)
  const count = size.width * size.height
  if (count === 0 || count > budget.pixels || rawSizeOf(loaded.pdfium, handle) > budget.bytes) return undefined
  budget.pixels -= count
  if (colorSpaceOf(loaded, handle) === 0 || !isPlain(image, loaded)) return undefined
  const decoded = decodeImage(loaded.pdfium, handle, size)
  if (!decoded) return undefined
  const file = (await jpegOf(handle, decoded, loaded, open)) ?? encodePng(decoded, level)
  if (file.byteLength > budget.bytes) return undefined
  return { file, look: lookOfImage(decoded, { width: box.right - box.left, height: box.top - box.bottom }) }
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
