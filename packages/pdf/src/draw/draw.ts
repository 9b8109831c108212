import { EngineError } from '@harvestman/ports'
import { loadOptional } from '@harvestman/toolbox/load-optional'
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'

import { pixelsForPeople } from './colors.ts'
import { cropPng, type Share } from './crop.ts'
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
}

/** A page as a picture. */
export interface DrawnPage {
  readonly number: number
  /** Absent if nothing is on the page, or nothing that is wanted. */
  readonly png?: Uint8Array<ArrayBuffer>
  /** The parts of the page that were requested. */
  readonly parts?: readonly Uint8Array<ArrayBuffer>[]
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

interface Library {
  loadDocument(bytes: Uint8Array, password?: string): Promise<PDFiumDocument>
}

let library: Promise<Library> | undefined

function loadLibrary(): Promise<Library> {
  library ??= loadOptional('@hyzyla/pdfium', 'Drawing pages of a PDF', () => import('@hyzyla/pdfium'))
    .then(({ PDFiumLibrary }) => PDFiumLibrary.init())
    .catch((error: unknown) => {
      library = undefined
      throw error
    })
  return library
}

/** Returns whether the library has crashed. Its memory is in an undefined state then, so it must not be used for another page. */
function hasCrashed(error: unknown): boolean {
  // A trap is a RuntimeError of WebAssembly; when it overflows the stack, V8 throws a RangeError.
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')
}

/**
 * Draws pages of a PDF. If the library crashes at a page, the next pages are drawn with a new one. Rejects with
 * `unsupported_file` if the file cannot be opened, and with `not_configured` if the library is not installed.
 */
export async function drawPages(task: DrawTask): Promise<readonly DrawnPage[]> {
  const { pages, crops } = task
  const drawn: DrawnPage[] = []
  while (drawn.length < pages.length) {
    const rest = { pages: pages.slice(drawn.length), ...(crops && { crops: crops.slice(drawn.length) }) }
    drawn.push(...(await drawUntilCrash({ ...task, ...rest })))
  }
  return drawn
}

/** Draws pages. If the library crashes, the last page of the result is broken, and those after it are missing. */
async function drawUntilCrash({ bytes, password, pages, crops, ...options }: DrawTask): Promise<readonly DrawnPage[]> {
  const pdfium = await loadLibrary()
  const file = await pdfium.loadDocument(bytes, password).catch((cause: unknown) => {
    if (hasCrashed(cause)) library = undefined
    throw new EngineError('unsupported_file', 'The pages of the PDF cannot be drawn. Save it again.', { cause })
  })
  const drawn: DrawnPage[] = []
  for (const [index, number] of pages.entries()) {
    try {
      drawn.push(await drawPage(file, number, { ...options, parts: crops?.[index] }))
    } catch (error) {
      drawn.push(broken(number))
      if (!hasCrashed(error)) continue
      library = undefined
      return drawn
    }
  }
  file.destroy()
  return drawn
}

function broken(number: number): DrawnPage {
  return { number, width: 0, height: 0, dotsPerInch: 0, isBroken: true }
}

type PageOptions = Pick<DrawTask, 'onlyWithPicture' | 'dotsPerInch' | 'maxPixels' | 'isForPeople'> & {
  readonly parts: readonly Share[] | undefined
}

async function drawPage(
  file: PDFiumDocument,
  number: number,
  { onlyWithPicture, dotsPerInch: wanted, maxPixels, isForPeople, parts }: PageOptions,
): Promise<DrawnPage> {
  const page = file.getPage(number - 1)
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
    const cut = parts.map((part) => cropPng({ rgba: data, width, height }, part))
    return { number, parts: cut, width, height, dotsPerInch }
  }
  if (isBlank(data)) return { number, width, height, dotsPerInch }
  const png = isForPeople
    ? encodePng(pixelsForPeople(data, width, height), level)
    : encodePng({ pixels: data, channels: 1, width, height })
  return { number, png, width, height, dotsPerInch }
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
