import type { Pixels } from './png.ts'

// Differences between the channels of a gray scan.
const maxDifference = 16
// Steps of brightness: fewer of them remove the noise of a scan, which cannot be compressed.
const step = 16
const white = 255

/** Converts pixels of blue, green, red and opacity on white paper to gray if they have no colors, else to red, green and blue. */
export function pixelsForPeople(bgra: Uint8Array, width: number, height: number): Pixels {
  const channels = hasColors(bgra) ? 3 : 1
  const pixels = new Uint8Array(width * height * channels)
  for (let from = 0, to = 0; to < pixels.length; from += 4, to += channels) {
    pixels[to] = rounded(bgra[from + (channels === 3 ? 2 : 1)]!)
    if (channels === 1) continue
    pixels[to + 1] = rounded(bgra[from + 1]!)
    pixels[to + 2] = rounded(bgra[from]!)
  }
  return { pixels, channels, width, height }
}

function hasColors(bgra: Uint8Array): boolean {
  for (let at = 0; at < bgra.length; at += 4) {
    const [blue, green, red] = [bgra[at]!, bgra[at + 1]!, bgra[at + 2]!]
    if (Math.max(blue, green, red) - Math.min(blue, green, red) > maxDifference) return true
  }
  return false
}

function rounded(value: number): number {
  return Math.min(white, Math.round(value / step) * step)
}
