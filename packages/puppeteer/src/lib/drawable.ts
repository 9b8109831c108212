/** An area of a page in CSS pixels, with the device scale factor. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly ratio: number
}

// Texture limit of browsers. A larger page would be drawn repeatedly or left white.
const maxSide = 16_384
// Limit of one picture in pixels. Each pixel takes four bytes, several times.
const maxArea = 64_000_000

export const drawableLimits = `${maxSide} pixels of the device on a side and ${maxArea} in all`

/** Returns whether an area can be drawn at once: at most 16,384 pixels on a side and 64 million in all. `NaN` cannot. */
export function isDrawable({ width, height, ratio }: Drawing): boolean {
  const [wide, high] = [width * ratio, height * ratio]
  return wide <= maxSide && high <= maxSide && wide * high <= maxArea
}

/** Returns the largest part from the top that can be drawn at once, at least one pixel. */
export function cutToDrawable({ width, height, ratio }: Drawing): Drawing {
  const most = Math.floor(maxSide / ratio)
  const wide = Math.max(1, Math.min(width, most))
  const high = Math.max(1, Math.min(height, most, Math.floor(maxArea / ratio ** 2 / wide)))
  return { width: wide, height: high, ratio }
}

/** Returns the same area with a scale factor, at most the given one, with which it can be drawn at once. */
export function blurToDrawable({ width, height, ratio }: Drawing): Drawing {
  const most = Math.min(maxSide / width, maxSide / height, Math.sqrt(maxArea / (width * height)))
  return { width, height, ratio: Math.min(ratio, most) }
}
