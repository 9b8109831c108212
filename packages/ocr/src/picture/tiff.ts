import { encodePng } from '@harvestman/pdf/pages'
import type { OcrPicture } from '@harvestman/ports'
import UTIF from 'utif2'

import { checkSize, type PictureLimits } from './limits.ts'

// Numbers of the tags with the size and the resolution.
const tags = { width: 't256', height: 't257', resolution: 't282', unit: 't296' } as const
const centimeters = 3
const centimetersPerInch = 2.54

/** The pages of a TIFF, and their number with those that were not read. */
export interface TiffPages {
  readonly pages: readonly OcrPicture[]
  readonly totalPages: number
}

/** Converts the pages of a TIFF to PNG in gray. Throws for a damaged file and for one above the limits. */
export function readTiff(bytes: Uint8Array, limits: PictureLimits): TiffPages {
  const data = bytes.slice().buffer
  const directories = UTIF.decode(data)
  const pages = directories.slice(0, limits.maxPages).map((directory): OcrPicture => {
    checkSize({ width: numberOf(directory, tags.width), height: numberOf(directory, tags.height) }, limits)
    UTIF.decodeImage(data, directory)
    const { width, height } = directory
    const png = encodePng({ gray: toGray(UTIF.toRGBA8(directory)), width, height })
    return { bytes: png, type: 'image/png', width, height, ...resolutionOf(directory) }
  })
  if (pages.length === 0) throw new RangeError('The TIFF has no pages.')
  return { pages, totalPages: directories.length }
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
  for (let at = 0; at < gray.length; at += 1) {
    const [r = 0, g = 0, b = 0, alpha = 255] = rgba.subarray(at * 4, at * 4 + 4)
    const light = r * 0.299 + g * 0.587 + b * 0.114
    gray[at] = (light * alpha) / 255 + 255 - alpha
  }
  return gray
}
