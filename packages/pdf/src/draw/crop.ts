import { encodePng } from './png.ts'

// Of pictures that are stored.
const level = 6

/** Left, top, right and bottom edge as fractions of a page. */
export type Share = readonly [left: number, top: number, right: number, bottom: number]

/** A page in color: red, green, blue and an unused byte for each pixel. */
export interface ColorPage {
  readonly rgba: Uint8Array
  readonly width: number
  readonly height: number
}

/** Returns a part of a page as PNG, at least one pixel wide and high. */
export function cropPng(
  { rgba, width, height }: ColorPage,
  [left, top, right, bottom]: Share,
): Uint8Array<ArrayBuffer> {
  const [x1, y1] = [startOf(left, width), startOf(top, height)]
  const [wide, high] = [lengthOf(x1, right, width), lengthOf(y1, bottom, height)]
  const rgb = new Uint8Array(wide * high * 3)
  let to = 0
  for (let y = y1; y < y1 + high; y += 1)
    for (let x = x1; x < x1 + wide; x += 1) {
      const at = (y * width + x) * 4
      rgb[to] = rgba[at] ?? 0
      rgb[to + 1] = rgba[at + 1] ?? 0
      rgb[to + 2] = rgba[at + 2] ?? 0
      to += 3
    }
  return encodePng({ pixels: rgb, channels: 3, width: wide, height: high }, level)
}

function startOf(share: number, length: number): number {
  return Math.min(length - 1, Math.max(0, Math.floor(share * length)))
}

function lengthOf(start: number, end: number, length: number): number {
  return Math.max(1, Math.min(length, Math.ceil(end * length)) - start)
}
