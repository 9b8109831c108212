import { EngineError } from '@harvestman/ports'

/** Limits on a picture. */
export interface PictureLimits {
  /** Maximum width times height. A larger picture is not decoded. */
  readonly maxPixels: number
  /** Maximum number of pages of a TIFF. The rest is not read. */
  readonly maxPages: number
}

/** Throws if a picture has no size, or more pixels than the limit. */
export function checkSize(
  { width, height }: { readonly width: number; readonly height: number },
  { maxPixels }: Pick<PictureLimits, 'maxPixels'>,
): void {
  if (!(width > 0 && height > 0)) throw new RangeError('The picture has no size.')
  if (width * height <= maxPixels) return
  throw new EngineError(
    'page_too_complex',
    `The image has ${width} × ${height} pixels; at most ${maxPixels} in all are read. Send it in a smaller size, or raise maxPixels of ocr().`,
    { details: { reason: 'too_large', limit: maxPixels } },
  )
}
