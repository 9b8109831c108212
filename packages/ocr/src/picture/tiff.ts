import { encodePng } from '@harvestman/pdf/pages'
import type { OcrPicture } from '@harvestman/ports'
import UTIF from 'utif2'

import { checkSize, type PictureLimits } from './limits.ts'

// Numbers of the tags with the size and the resolution.
const tags = { width: 't256', height: 't257', resolution: 't282', unit: 't296' } as const
const centimeters = 3
const centimetersPerInch = 2.54

/** Returns the number of pages of a TIFF, and a function that converts one of them, from 0, to PNG in gray. Both throw for a damaged file. */
export function openTiff(bytes: Uint8Array): {
  readonly totalPages: number
  /** Throws `page_too_complex` for a page above the limit. */
  readPage(index: number, limits: Pick<PictureLimits, 'maxPixels'>): OcrPicture
} {
  const data = bytes.slice().buffer
  const directories = UTIF.decode(data)
  return {
    totalPages: directories.length,
    readPage: (index, limits) => {
      const directory = directories[index]
      if (!directory) throw new RangeError('The TIFF does not have this page.')
      checkSize({ width: numberOf(directory, tags.width), height: numberOf(directory, tags.height) }, limits)
      UTIF.decodeImage(data, directory)
      const { width, height } = directory
      const png = encodePng({ pixels: toGray(UTIF.toRGBA8(directory)), channels: 1, width, height })
      return { bytes: png, type: 'image/png', width, height, ...resolutionOf(directory) }
    },
  }
}

function numberOf(directory: UTIF.IFD, tag: string): number {
  const values = directory[tag]
  return Array.isArray(values) ? Number(values[0]) : Number.NaN
}

function resolutionOf(directory: UTIF.IFD): Pick<OcrPicture, 'dotsPerInch'> {
  const value = numberOf(directory, tags.resolution)
  const dotsPerInch = numberOf(directory, tags.unit) === centimeters ? value * centimetersPerInch : value
  // Applications write 1, or the resolution of a screen, if they do not know it.
  return dotsPerInch >= 100 && dotsPerInch <= 2_400 ? { dotsPerInch: Math.round(dotsPerInch) } : {}
}

/** Converts to gray, on white where the picture is transparent. */
function toGray(rgba: Uint8Array): Uint8Array {
  const gray = new Uint8Array(rgba.length / 4)
  for (let at = 0, from = 0; at < gray.length; at += 1, from += 4) {
    const light = rgba[from]! * 0.299 + rgba[from + 1]! * 0.587 + rgba[from + 2]! * 0.114
    const alpha = rgba[from + 3]!
    gray[at] = (light * alpha) / 255 + 255 - alpha
  }
  return gray
}
