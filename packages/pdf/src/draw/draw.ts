import { EngineError } from '@harvestman/ports'

import { pixelsForPeople } from './colors.ts'
import { cropPng, type ColorPage, type Share } from './crop.ts'
import { hasLook } from './look.ts'
import { maxOriginalPixels, readOriginals, type Original, type OriginalsBudget } from './originals.ts'
import { dropLibrary, hasCrashed, loadLibrary, type OpenPdf, type PdfPage } from './pdfium.ts'
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
  /** For people: in color if the page has colors, and smaller. Otherwise in gray, for the text recognition. */
  readonly isForPeople?: boolean | undefined
  /** Parts of each page, by the index of the page in `pages`. They are drawn in color, in place of the whole page in gray. */
  readonly crops?: readonly (readonly Share[])[]
  /**
   * Maximum size of the images of the file that replace drawn parts, if such a part is one image and looks like it. Default: 0,
   * so no image replaces a part.
   */
  readonly originalBytes?: number | undefined
}

/** A page as a picture. */
export interface DrawnPage {
  readonly number: number
  /** Absent if nothing is on the page, or nothing that is wanted. */
  readonly png?: Uint8Array<ArrayBuffer>
  /** The parts of the page that were requested: PNG files, and JPEG files that are in the PDF. */
  readonly parts?: readonly Uint8Array<ArrayBuffer>[]
  /** Size of those parts that are images of the file. */
  readonly originalBytes?: number
  /** Size in pixels. */
  readonly width: number
  readonly height: number
  readonly dotsPerInch: number
  /** The page could not be drawn. */
  readonly isBroken?: boolean
}

const pointsPerInch = 72
// Of pictures for people.
const level = 6
// White paper, also in a scan with little noise.
const white = 245

/**
 * Draws pages of a PDF. If the library crashes at a page, the next pages are drawn with a new one. Rejects with
 * `unsupported_file` if the file cannot be opened, and with `not_configured` if the library is not installed.
 */
export async function drawPages(task: DrawTask): Promise<readonly DrawnPage[]> {
  const { pages, crops, originalBytes = 0 } = task
  const budget = { bytes: originalBytes, pixels: maxOriginalPixels }
  const drawn: DrawnPage[] = []
  while (drawn.length < pages.length) {
    const rest = { pages: pages.slice(drawn.length), ...(crops && { crops: crops.slice(drawn.length) }) }
    drawn.push(...(await drawUntilCrash({ ...task, ...rest }, budget)))
  }
  return drawn
}

/**
 * Draws pages. If the library crashes, the last page of the result is broken, and those after it are missing. If the budget
 * still had bytes, the page of the crash is missing too and the budget is empty: it may be drawn without original images.
 */
async function drawUntilCrash(
  { bytes, password, pages, crops, ...options }: DrawTask,
  budget: OriginalsBudget,
): Promise<readonly DrawnPage[]> {
  const pdfium = await loadLibrary()
  const file = await pdfium.loadDocument(bytes, password).catch((cause: unknown) => {
    if (hasCrashed(cause)) dropLibrary()
    throw new EngineError('unsupported_file', 'The pages of the PDF cannot be drawn. Save it again.', { cause })
  })
  const drawn: DrawnPage[] = []
  for (const [index, number] of pages.entries()) {
    try {
      const page = file.getPage(number - 1)
      const parts = crops?.[index]
      const originals = parts ? await findOriginals(page, parts, budget, (pdf) => pdfium.loadDocument(pdf)) : []
      drawn.push(await drawPage(page, number, { ...options, parts, originals }))
    } catch (error) {
      const isRetried = hasCrashed(error) && budget.bytes > 0
      if (!isRetried) drawn.push(broken(number))
      if (!hasCrashed(error)) continue
      budget.bytes = 0
      dropLibrary()
      return drawn
    }
  }
  file.destroy()
  return drawn
}

function broken(number: number): DrawnPage {
  return { number, width: 0, height: 0, dotsPerInch: 0, isBroken: true }
}

/** Returns the original images of parts of a page. After an error, this and the next pages have none. */
async function findOriginals(
  page: PdfPage,
  parts: readonly Share[],
  budget: OriginalsBudget,
  open: OpenPdf,
): Promise<(Original | undefined)[]> {
  if (budget.bytes <= 0) return []
  try {
    return await readOriginals(page, parts, budget, open)
  } catch (error) {
    if (hasCrashed(error)) throw error
    budget.bytes = 0
    return []
  }
}

type PageOptions = Pick<DrawTask, 'onlyWithPicture' | 'dotsPerInch' | 'maxPixels' | 'isForPeople'> & {
  readonly parts: readonly Share[] | undefined
  readonly originals: readonly (Original | undefined)[]
}

async function drawPage(
  page: PdfPage,
  number: number,
  { onlyWithPicture, dotsPerInch: wanted, maxPixels, isForPeople, parts, originals }: PageOptions,
): Promise<DrawnPage> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const pixels = (originalWidth * originalHeight * wanted ** 2) / pointsPerInch ** 2
  const dotsPerInch = wanted * Math.min(1, Math.sqrt(maxPixels / pixels))
  if (onlyWithPicture.includes(number) && !hasPicture(page)) return { number, width: 0, height: 0, dotsPerInch }
  const { data, width, height } = await page.render({
    scale: dotsPerInch / pointsPerInch,
    // For this name the library returns red, green, blue and opacity, in this order.
    colorSpace: isForPeople || parts ? 'BGRA' : 'Gray',
    render: (bitmap) => Promise.resolve(bitmap.data),
  })
  if (parts) {
    return { number, ...cutParts({ rgba: data, width, height }, parts, originals), width, height, dotsPerInch }
  }
  if (isBlank(data)) return { number, width, height, dotsPerInch }
  const png = isForPeople
    ? encodePng(pixelsForPeople(data, width, height), level)
    : encodePng({ pixels: data, channels: 1, width, height })
  return { number, png, width, height, dotsPerInch }
}

/** Returns parts of a page: the original image of a part if the page shows it unchanged, otherwise the part as it is drawn. */
function cutParts(
  page: ColorPage,
  parts: readonly Share[],
  originals: readonly (Original | undefined)[],
): Required<Pick<DrawnPage, 'parts' | 'originalBytes'>> {
  let originalBytes = 0
  const cut = parts.map((part, index) => {
    const original = originals[index]
    if (!original || !hasLook(page, original.share, original.look)) return cropPng(page, part)
    originalBytes += original.file.byteLength
    return original.file
  })
  return { parts: cut, originalBytes }
}

// Real pages have few pictures, and those are the first objects of a scan.
const maxObjects = 2_000

function hasPicture(page: PdfPage): boolean {
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
