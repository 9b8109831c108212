import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const colorTypes = { 1: 0, 3: 2 } as const

/** Pixels, row by row: one byte for gray, or three for red, green and blue. */
export interface Pixels {
  readonly pixels: Uint8Array
  readonly channels: 1 | 3
  readonly width: number
  readonly height: number
}

/**
 * Encodes a picture as PNG. Default of `level`, from 0 to 9: 1, the fastest compression, for a picture that is not stored.
 * Rows of higher levels are filtered if that makes a sample of them smaller: photos become smaller, drawings larger.
 */
export function encodePng({ pixels, channels, width, height }: Pixels, level = 1): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, colorTypes[channels], 0, 0, 0], 8)
  const picture = { pixels, channels, width, height }
  const rows = level > 1 && isSmallerFiltered(picture, level) ? filteredRows(picture) : plainRows(picture)
  const parts = [signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level })), chunk('IEND')]
  const png = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    png.set(part, at)
    at += part.length
  }
  return png
}

/** Returns the rows, each after its filter, which is none. */
function plainRows({ pixels, channels, width, height }: Pixels): Uint8Array {
  const length = width * channels
  const rows = new Uint8Array((length + 1) * height)
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * length, (row + 1) * length), row * (length + 1) + 1)
  return rows
}

/** The filter of PNG that stores the difference to the pixel on the left, above, or above on the left, whichever is predicted. */
const paeth = 4

/** Returns the rows, each after its filter, which is `paeth`. */
function filteredRows({ pixels, channels, width, height }: Pixels): Uint8Array {
  const length = width * channels
  const rows = new Uint8Array((length + 1) * height)
  let to = 0
  for (let row = 0; row < height; row += 1) {
    rows[to++] = paeth
    const start = row * length
    for (let at = start; at < start + length; at += 1) {
      const isFirst = at < start + channels
      const left = isFirst ? 0 : pixels[at - channels]!
      const above = row === 0 ? 0 : pixels[at - length]!
      const corner = isFirst || row === 0 ? 0 : pixels[at - length - channels]!
      const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)]
      const toCorner = Math.abs(left + above - 2 * corner)
      const nearest = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
      rows[to++] = pixels[at]! - nearest
    }
  }
  return rows
}

const samples = 3
const sampleHeight = 16

/** Compresses groups of rows in both ways. */
function isSmallerFiltered({ pixels, channels, width, height }: Pixels, level: number): boolean {
  const length = width * channels
  const count = height > sampleHeight ? samples : 1
  let difference = 0
  for (let sample = 1; sample <= count; sample += 1) {
    const from = Math.floor((Math.max(0, height - sampleHeight) * sample) / (count + 1))
    const to = Math.min(height, from + sampleHeight)
    const part = { pixels: pixels.subarray(from * length, to * length), channels, width, height: to - from }
    difference += deflateSync(filteredRows(part), { level }).length - deflateSync(plainRows(part), { level }).length
  }
  return difference < 0
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
