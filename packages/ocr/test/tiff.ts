/** Returns an uncompressed TIFF with a white page in gray for each size. */
export function makeTiff(sizes: readonly { readonly width: number; readonly height: number }[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('49492a0008000000', 'hex')]
  let at = 8
  for (const [index, { width, height }] of sizes.entries()) {
    const long = 4
    // Width, height, bits per pixel, no compression, black is 0, offset, samples, rows of the strip, bytes of the strip.
    const values = [256, 257, 258, 259, 262, 273, 277, 278, 279]
    const directory = Buffer.alloc(2 + values.length * 12 + 4)
    const pixels = Buffer.alloc(width * height, 255)
    const start = at + directory.length
    const entries = [width, height, 8, 1, 1, start, 1, height, pixels.length]
    directory.writeUInt16LE(values.length)
    for (const [row, tag] of values.entries()) {
      const entry = 2 + row * 12
      directory.writeUInt16LE(tag, entry)
      directory.writeUInt16LE(long, entry + 2)
      directory.writeUInt32LE(1, entry + 4)
      directory.writeUInt32LE(entries[row] ?? 0, entry + 8)
    }
    at = start + pixels.length
    directory.writeUInt32LE(index + 1 < sizes.length ? at : 0, directory.length - 4)
    parts.push(directory, pixels)
  }
  return new Uint8Array(Buffer.concat(parts))
}
