/** Recognizes the text of pictures. */
export interface Ocr {
  /** Name for messages. */
  readonly name: string
  /**
   * Recognizes the text of one picture. The bytes may come from anywhere, so they must be decoded where a crash or an endless
   * loop can be stopped. Rejects with `unsupported_file` for a picture that cannot be decoded, `page_too_complex` for one above
   * its limits, `not_configured` for a language that it does not have, and `timeout` after `options.timeout`. After other
   * errors, such as `connection_failed` and `bad_response` of a service, no further page of the file is recognized. Must reject with
   * the reason of the signal as soon as it is aborted.
   */
  read(picture: OcrPicture, options: OcrOptions): Promise<OcrText>
}

/** An encoded picture. The caller has checked that its size in pixels is within reason. */
export interface OcrPicture {
  readonly bytes: Uint8Array
  /** `image/png`, `image/jpeg`, `image/webp`, `image/gif` or `image/bmp`. */
  readonly type: string
  /** Size in pixels, as stored. */
  readonly width: number
  readonly height: number
  /** EXIF orientation, from 1 (upright) to 8. Default: 1. */
  readonly exifOrientation?: number | undefined
  readonly dotsPerInch?: number | undefined
}

/** How a picture is read. */
export interface OcrOptions {
  /** Languages of the text, as ISO 639-3 codes such as `eng` or the names of the engine. Default: those of the engine. */
  readonly languages?: readonly string[] | undefined
  /** Team that the picture is read for. */
  readonly team: string
  /** Maximum milliseconds, including waits for other pictures. */
  readonly timeout: number
  readonly signal: AbortSignal
  /** Receives the completed fraction, from 0 to 1, never less than before. */
  readonly onProgress?: ((share: number) => void) | undefined
}

/** The text of a picture. Positions refer to the picture after it was turned upright and deskewed. */
export interface OcrText {
  /** Size of the upright picture in pixels. */
  readonly width: number
  readonly height: number
  /** Clockwise rotation in degrees that turned the picture upright, in addition to its EXIF orientation. */
  readonly rotation: 0 | 90 | 180 | 270
  /** Rotation in degrees that made its lines horizontal. */
  readonly skew: number
  /** Lines of text, in reading order. Empty for a picture without text. */
  readonly lines: readonly OcrLine[]
}

/** A line of text. */
export interface OcrLine {
  readonly words: readonly OcrWord[]
  /** Distance of the baseline from the top. */
  readonly baseline: number
  /** Estimated font size in pixels. */
  readonly size: number
}

/** A word of a line. */
export interface OcrWord {
  readonly text: string
  /** Pixels from the left and from the top. */
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
  /** Probability that the text is correct, from 0 to 1. */
  readonly confidence: number
}
