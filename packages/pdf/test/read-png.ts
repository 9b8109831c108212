import { inflateSync } from 'node:zlib'

/** The pixels of a PNG file of one chunk, in red, green and blue or in gray. */
export interface ReadPng {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly pixels: Buffer
}

/** Reads a PNG file whose rows have no filter or the filter Paeth. */
export function readPng(png: Buffer): ReadPng {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 2 ? 3 : 1]
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  const length = width * channels
  const pixels = Buffer.alloc(length * height)
  const pixelAt = (row: number, at: number): number => (row < 0 || at < 0 ? 0 : pixels[row * length + at]!)
  for (let row = 0; row < height; row += 1) {
    const [filter, ...values] = rows.subarray(row * (length + 1), (row + 1) * (length + 1))
    if (filter !== 0 && filter !== 4) throw new Error(`Row ${row} has the filter ${filter}.`)
    for (const [at, value] of values.entries()) {
      const left = pixelAt(row, at - channels)
      const above = pixelAt(row - 1, at)
      const corner = pixelAt(row - 1, at - channels)
      const prediction = left + above - corner
      const nearest = [left, above, corner].toSorted((a, b) => Math.abs(prediction - a) - Math.abs(prediction - b))[0]!
      pixels[row * length + at] = value + (filter === 0 ? 0 : nearest)
    }
  }
  return { width, height, channels, pixels }
}
