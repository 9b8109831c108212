import { EngineError, type OcrPicture } from '@harvestman/ports'
import { imageSize } from 'image-size'

import { checkSize, type PictureLimits } from './limits.ts'
import { svgText } from './svg.ts'
import { openTiff } from './tiff.ts'

/** A picture to prepare. */
export interface PrepareTask {
  readonly bytes: Uint8Array
  readonly type: string
  /** Page of a TIFF, from 1. */
  readonly page: number
  readonly limits: Pick<PictureLimits, 'maxPixels'>
}

/** A message with the number of pages of a file, before one of them is decoded. */
export interface PageCount {
  readonly totalPages: number
}

/** A page as a picture for the text recognition, or the paragraphs of a file that has text and needs no recognition. */
export type PreparedPicture = { readonly picture: OcrPicture } | { readonly paragraphs: readonly string[] }

/**
 * Checks the size of a page of a picture, and converts types that text recognition does not read. Throws `unsupported_file` for a damaged
 * file, and `page_too_complex` for one above the limits.
 */
export function preparePicture(
  { bytes, type, page, limits }: PrepareTask,
  tell: (count: PageCount) => void,
): PreparedPicture {
  try {
    if (type === 'image/svg+xml') return { paragraphs: svgText(bytes) }
    if (type === 'image/tiff') {
      const { totalPages, readPage } = openTiff(bytes)
      tell({ totalPages })
      return { picture: readPage(page - 1, limits) }
    }
    const { width, height, orientation } = imageSize(bytes)
    checkSize({ width, height }, limits)
    return { picture: { bytes, type, width, height, exifOrientation: orientation } }
  } catch (error) {
    if (EngineError.is(error)) throw error
    // The messages of libraries may contain bytes of the file.
    throw new EngineError('unsupported_file', 'The image is damaged. Save it again in another program.', {
      details: { reason: 'damaged' },
    })
  }
}
