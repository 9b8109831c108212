import { EngineError, type OcrPicture } from '@harvestman/ports'
import { imageSize } from 'image-size'

import { checkSize, type PictureLimits } from './limits.ts'
import { svgText } from './svg.ts'
import { readTiff } from './tiff.ts'

/** A picture to prepare. */
export interface PrepareTask {
  readonly bytes: Uint8Array
  readonly type: string
  readonly limits: PictureLimits
}

/** A picture that was prepared. */
export interface PreparedPicture {
  /** The pages as pictures for the text recognition. */
  readonly pages: readonly OcrPicture[]
  /** Number of pages of the file, if it has more than `pages`. */
  readonly totalPages: number
  /** The paragraphs of a file that has text, and needs no recognition. */
  readonly paragraphs?: readonly string[]
}

/**
 * Checks the size of a picture, and converts types that text recognition does not read. Throws `unsupported_file` for a damaged
 * file, and `page_too_complex` for one above the limits.
 */
export function preparePicture({ bytes, type, limits }: PrepareTask): PreparedPicture {
  try {
    if (type === 'image/svg+xml') return { pages: [], totalPages: 1, paragraphs: svgText(bytes) }
    if (type === 'image/tiff') return readTiff(bytes, limits)
    const { width, height, orientation } = imageSize(bytes)
    checkSize({ width, height }, limits)
    return { pages: [{ bytes, type, width, height, exifOrientation: orientation }], totalPages: 1 }
  } catch (error) {
    if (EngineError.is(error)) throw error
    // The messages of libraries may contain bytes of the file.
    throw new EngineError('unsupported_file', 'The image is damaged. Save it again in another program.', {
      details: { reason: 'damaged' },
    })
  }
}
