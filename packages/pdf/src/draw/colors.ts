import type { Pixels } from './png.ts'

// Differences between the channels of a gray scan.
const maxDifference = 16
// Steps of brightness: fewer of them remove the noise of a scan, which cannot be compressed.
const step = 16
const white = 255

/** Converts pixels of red, green, blue and opacity on white paper to gray if they have no colors, else to red, green and blue. */
export function pixelsForPeople(rgba: Uint8Array, width: number, height: number): Pixels {
  const channels = hasColors(rgba) ? 3 : 1
  const pixels = new Uint8Array(width * height * channels)
  for (let from = 0, to = 0; to < pixels.length; from += 4, to += channels) {
    pixels[to] = rounded(rgba[from + (channels === 3 ? 0 : 1)]!)
    if (channels === 1) continue
    pixels[to + 1] = rounded(rgba[from + 1]!)
    pixels[to + 2] = rounded(rgba[from + 2]!)
  }
  return { pixels, channels, width, height }
}

function hasColors(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    const [red, green, blue] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!]
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > maxDifference) return true
  }
  return false
}

function rounded(value: number): number {
  return Math.min(white, Math.round(value / step) * step)
}
