/** An area of a page in CSS pixels, with the device scale factor. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly ratio: number
}

// Texture limit of browsers. A larger page would be drawn repeatedly or left white.
const mostSide = 16_384
// Limit of one picture in pixels. Each pixel takes four bytes, several times.
const mostArea = 64_000_000

export const mostDrawn = `${mostSide} pixels of the device on a side and ${mostArea} in all`

/** Returns whether an area can be drawn at once. `NaN` cannot. */
export function isDrawable({ width, height, ratio }: Drawing): boolean {
  const [wide, high] = [width * ratio, height * ratio]
  return wide <= mostSide && high <= mostSide && wide * high <= mostArea
}

/** Returns the largest part from the top that can be drawn at once. */
export function cutToDrawable({ width, height, ratio }: Drawing): Drawing {
  const most = Math.floor(mostSide / ratio)
  const wide = Math.max(1, Math.min(width, most))
  const high = Math.max(1, Math.min(height, most, Math.floor(mostArea / ratio ** 2 / wide)))
  return { width: wide, height: high, ratio }
}

/** Returns the same area with a scale factor, at most the given one, with which it can be drawn at once. */
export function blurToDrawable({ width, height, ratio }: Drawing): Drawing {
  const most = Math.min(mostSide / width, mostSide / height, Math.sqrt(mostArea / (width * height)))
  return { width, height, ratio: Math.min(ratio, most) }
}
