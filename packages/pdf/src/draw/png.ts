import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const grayscale = 0
// The picture is decoded once and then thrown away, so the fastest compression is best.
const level = 1

/** Encodes a picture of one byte per pixel, row by row, as PNG. */
export function encodePng({
  gray,
  width,
  height,
}: {
  readonly gray: Uint8Array
  readonly width: number
  readonly height: number
}): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, grayscale, 0, 0, 0], 8)
  // Each row starts with its filter: none.
  const rows = new Uint8Array((width + 1) * height)
  for (let row = 0; row < height; row += 1)
    rows.set(gray.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
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
