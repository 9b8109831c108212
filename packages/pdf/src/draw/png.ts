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

/** Encodes a picture as PNG. Default of `level`, from 0 to 9: 1, the fastest compression, for a picture that is not stored. */
export function encodePng({ pixels, channels, width, height }: Pixels, level = 1): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, colorTypes[channels], 0, 0, 0], 8)
  // Each row starts with its filter: none.
  const length = width * channels
  const rows = new Uint8Array((length + 1) * height)
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * length, (row + 1) * length), row * (length + 1) + 1)
  const parts = [signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level })), chunk('IEND')]
  const png = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    png.set(part, at)
    at += part.length
  }
  return png
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
