// Compares images of a PDF with the drawn page.
import type { ColorPage, Share } from './crop.ts'
import type { Pixels } from './png.ts'

/** Mean colors of the cells of a grid over a picture, row by row: red, green and blue. */
export interface Look {
  readonly colors: Float32Array
  readonly columns: number
  readonly rows: number
}

/** Size of a cell in points. */
const cellSize = 2
const maxCells = 192
// With single pixels as cells, each edge in the picture would differ from the drawn one.
const minPixels = 2

/** Returns the look of an image that has this size on its page, in points. */
export function lookOfImage(image: Pixels, size: { readonly width: number; readonly height: number }): Look {
  const columns = countOf(size.width, image.width)
  const rows = countOf(size.height, image.height)
  return lookOf({ ...image, edges: [0, 0, image.width, image.height] }, columns, rows)
}

function countOf(points: number, pixels: number): number {
  return Math.max(1, Math.floor(Math.min(maxCells, points / cellSize, pixels / minPixels)))
}

// Of 256. Drawing changes the mean by up to 3, and single cells of fine black and white details by up to 63.
const maxMean = 6
const maxCell = 80

/**
 * Returns whether a part of a drawn page has this look, apart from its edges. A cell may have any color between its
 * neighbors, as the pixels of a page and of an image have different edges.
 */
export function hasLook({ rgba, width, height }: ColorPage, [left, top, right, bottom]: Share, look: Look): boolean {
  const { columns, rows, colors } = look
  const edges = [left * width, top * height, right * width, bottom * height] as const
  const drawn = lookOf({ pixels: rgba, channels: 4, width, height, edges }, columns, rows).colors
  let [sum, count] = [0, 0]
  for (let row = 1; row < rows - 1; row += 1)
    for (let at = (row * columns + 1) * 3; at < ((row + 1) * columns - 1) * 3; at += 1) {
      const distance = distanceTo(drawn[at]!, colors, at, columns * 3)
      if (distance > maxCell) return false
      sum += distance
      count += 1
    }
  return count > 0 && sum <= maxMean * count
}

/** Returns the distance of a value to the range of the values of a cell and its eight neighbors. */
function distanceTo(value: number, colors: Float32Array, at: number, rowLength: number): number {
  let [low, high] = [255, 0]
  for (let row = at - rowLength; row <= at + rowLength; row += rowLength)
    for (let cell = row - 3; cell <= row + 3; cell += 3) {
      low = Math.min(low, colors[cell]!)
      high = Math.max(high, colors[cell]!)
    }
  return Math.max(0, low - value, value - high)
}

interface PartOfPixels extends Omit<Pixels, 'channels'> {
  readonly channels: number
  /** Left, top, right and bottom edge, in pixels. */
  readonly edges: Share
}

function lookOf({ pixels, channels, width, height, edges }: PartOfPixels, columns: number, rows: number): Look {
  const colors = new Float32Array(columns * rows * 3)
  const [left, top, right, bottom] = edges
  const xs = Array.from({ length: columns }, (_, index) => weightsOf(left, (right - left) / columns, index, width))
  for (let row = 0; row < rows; row += 1) {
    const y = weightsOf(top, (bottom - top) / rows, row, height)
    for (const [column, x] of xs.entries()) {
      let [red, green, blue, sum] = [0, 0, 0, 0]
      for (const [down, high] of y.weights.entries()) {
        let at = ((y.from + down) * width + x.from) * channels
        for (const wide of x.weights) {
          const weight = high * wide
          red += weight * pixels[at]!
          // Gray has one channel.
          green += weight * pixels[channels === 1 ? at : at + 1]!
          blue += weight * pixels[channels === 1 ? at : at + 2]!
          sum += weight
          at += channels
        }
      }
      colors.set([red / sum, green / sum, blue / sum], (row * columns + column) * 3)
    }
  }
  return { colors, columns, rows }
}

interface Weights {
  /** The first pixel. */
  readonly from: number
  /** The share of each pixel that is in the cell. */
  readonly weights: Float64Array
}

/** Returns the pixels of a cell in one direction, at least one within the picture. */
function weightsOf(start: number, size: number, index: number, length: number): Weights {
  const [first, last] = [start + size * index, start + size * (index + 1)]
  const from = Math.min(length - 1, Math.max(0, Math.floor(first)))
  const to = Math.min(length, Math.max(from + 1, Math.ceil(last)))
  const shareOf = (pixel: number): number => Math.min(pixel + 1, last) - Math.max(pixel, first)
  return { from, weights: Float64Array.from({ length: to - from }, (_, at) => Math.max(1e-6, shareOf(from + at))) }
}
