/** A part of a page in its own pixels, and how many of the device each of those has on a side. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly ratio: number
}

// What the graphics of a browser can draw at once; a higher page would be repeated or left white.
const mostSide = 16_384
// What one picture may have in all: each costs four bytes, several times over.
const mostArea = 64_000_000

export const mostDrawn = `${mostSide} pixels of the device on a side and ${mostArea} in all`

/** Whether it can be drawn at once. What is not a number cannot. */
export function isDrawable({ width, height, ratio }: Drawing): boolean {
  const [wide, high] = [width * ratio, height * ratio]
  return wide <= mostSide && high <= mostSide && wide * high <= mostArea
}

/** As much from the top as can be drawn at once. */
export function cutToDrawable({ width, height, ratio }: Drawing): Drawing {
  const most = Math.floor(mostSide / ratio)
  const wide = Math.max(1, Math.min(width, most))
  const high = Math.max(1, Math.min(height, most, Math.floor(mostArea / ratio ** 2 / wide)))
  return { width: wide, height: high, ratio }
}

/** The same part, as sharp as can be drawn at once, and no sharper than it is. */
export function blurToDrawable({ width, height, ratio }: Drawing): Drawing {
  const most = Math.min(mostSide / width, mostSide / height, Math.sqrt(mostArea / (width * height)))
  return { width, height, ratio: Math.min(ratio, most) }
}
