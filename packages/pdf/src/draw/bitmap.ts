import { withMemory, viewOf, type LoadedPage, type Pdfium } from './page-objects.ts'
import type { Pixels } from './png.ts'

// Bytes of a pixel by format: gray, BGR, and BGR with an unused byte. Other formats have opacity.
const bytesByFormat: Readonly<Record<number, number>> = { 1: 1, 2: 3, 3: 4 }

/**
 * Decodes an image: all its pixels, in the colors of the PDF, without masks. Returns `undefined` if it is damaged, has opacity,
 * or is not of this size.
 */
export function decodeImage(
  pdfium: Pdfium,
  image: number,
  { width, height }: Pick<Pixels, 'width' | 'height'>,
): Pixels | undefined {
  const bitmap = pdfium._FPDFImageObj_GetBitmap(image)
  if (bitmap === 0) return undefined
  try {
    const size = bytesByFormat[pdfium._FPDFBitmap_GetFormat(bitmap)]
    const isSame = pdfium._FPDFBitmap_GetWidth(bitmap) === width && pdfium._FPDFBitmap_GetHeight(bitmap) === height
    if (size === undefined || !isSame) return undefined
    const [start, stride] = [pdfium._FPDFBitmap_GetBuffer(bitmap), pdfium._FPDFBitmap_GetStride(bitmap)]
    const channels = size === 1 ? 1 : 3
    const pixels = new Uint8Array(width * height * channels)
    let to = 0
    for (let y = 0; y < height; y += 1) {
      const row = start + y * stride
      if (channels === 1) pixels.set(pdfium.HEAPU8.subarray(row, row + width), to)
      else copyColors(pdfium.HEAPU8.subarray(row, row + width * size), size, pixels.subarray(to))
      to += width * channels
    }
    return { pixels, channels, width, height }
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap)
  }
}

function copyColors(bgr: Uint8Array, size: number, rgb: Uint8Array): void {
  for (let from = 0, to = 0; from < bgr.length; from += size, to += 3) {
    rgb[to] = bgr[from + 2]!
    rgb[to + 1] = bgr[from + 1]!
    rgb[to + 2] = bgr[from]!
  }
}

/**
 * Returns whether an image covers its box in its form: neither its mask nor its clip path makes a part of it transparent. Its edges
 * may be within a pixel, where a pixel is a unit of the form: a form that is enlarged has few or none to test.
 */
export function isOpaque({ pdfium, file, page }: LoadedPage, image: number): boolean {
  const bitmap = pdfium._FPDFImageObj_GetRenderedBitmap(file, page, image)
  if (bitmap === 0) return false
  try {
    const [width, height] = [pdfium._FPDFBitmap_GetWidth(bitmap), pdfium._FPDFBitmap_GetHeight(bitmap)]
    const [start, stride] = [pdfium._FPDFBitmap_GetBuffer(bitmap), pdfium._FPDFBitmap_GetStride(bitmap)]
    const { HEAPU8 } = pdfium
    for (let y = 1; y < height - 1; y += 1)
      for (let x = 1; x < width - 1; x += 1) if (HEAPU8[start + y * stride + x * 4 + 3] !== 255) return false
    return true
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap)
  }
}

/** Returns the names of the filters of the data of an image. */
export function filtersOf(pdfium: Pdfium, image: number): string[] {
  const count = Math.min(maxFilters, pdfium._FPDFImageObj_GetImageFilterCount(image))
  return Array.from({ length: count }, (_, index) =>
    withMemory(pdfium, maxName, (pointer) => {
      const size = pdfium._FPDFImageObj_GetImageFilter(image, index, pointer, maxName)
      return Buffer.from(pdfium.HEAPU8.subarray(pointer, pointer + Math.min(size, maxName) - 1)).toString('latin1')
    }),
  )
}

const maxFilters = 8
const maxName = 64

/** Returns the size in bytes of the data of an image as it is in the file. Nothing is decoded. */
export function rawSizeOf(pdfium: Pdfium, image: number): number {
  return pdfium._FPDFImageObj_GetImageDataRaw(image, 0, 0)
}

/** Returns the data of an image as it is in the file, without encryption. */
export function rawDataOf(pdfium: Pdfium, image: number): Uint8Array<ArrayBuffer> {
  const size = rawSizeOf(pdfium, image)
  return withMemory(pdfium, Math.max(1, size), (pointer) => {
    pdfium._FPDFImageObj_GetImageDataRaw(image, pointer, size)
    return new Uint8Array(pdfium.HEAPU8.subarray(pointer, pointer + size))
  })
}

/** Returns the size in the dictionary of an image in pixels. Nothing is decoded. */
export function sizeOf(pdfium: Pdfium, image: number): Pick<Pixels, 'width' | 'height'> {
  return withMemory(pdfium, 8, (pointer) => {
    if (!pdfium._FPDFImageObj_GetImagePixelSize(image, pointer, pointer + 4)) return { width: 0, height: 0 }
    const view = viewOf(pdfium)
    return { width: view.getUint32(pointer, true), height: view.getUint32(pointer + 4, true) }
  })
}

/** Returns the number of the color space of an image as PDFium has it; 0 if it is unknown, and for an image that is a mask. */
export function colorSpaceOf({ pdfium, page }: LoadedPage, image: number): number {
  return withMemory(pdfium, 28, (pointer) =>
    pdfium._FPDFImageObj_GetImageMetadata(image, page, pointer) ? viewOf(pdfium).getInt32(pointer + 20, true) : 0,
  )
}
