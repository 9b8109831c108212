// Creates ZIP archives (APPNOTE 6.3.3). The browser compresses each file; no file may exceed 4 GB.

export interface ZippedFile {
  readonly name: string
  readonly text: string
}

const encoder = new TextEncoder()
/** Maximum number of files: the format stores it in two bytes. */
export const mostZipped = 65_535
/** UTF-8 names. */
const flags = 0x08_00
const deflated = 8
const version = 20

/** Compresses files sequentially and returns the archive. Throws if there are more files than an archive can have. */
export async function zip(files: AsyncIterable<ZippedFile>): Promise<Blob> {
  const parts: Blob[] = []
  const entries: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for await (const { name, text } of files) {
    if (entries.length === mostZipped)
      throw new Error(`An archive has at most ${mostZipped} files. Take JSONL instead.`)
    const plain = encoder.encode(text)
    const packed = await deflate(plain)
    const facts = factsOf(encoder.encode(name), plain, packed.size)
    const local = join([headOf(0x04_03_4b_50, [version]), facts.common, facts.name])
    entries.push(join([headOf(0x02_01_4b_50, [version, version]), facts.common, tailOf(at), facts.name]))
    parts.push(new Blob([local, packed]))
    at += local.byteLength + packed.size
  }
  const directory = join(entries)
  const end = bytesOf(22, (view) => {
    view.setUint32(0, 0x06_05_4b_50, true)
    view.setUint16(8, entries.length, true)
    view.setUint16(10, entries.length, true)
    view.setUint32(12, directory.byteLength, true)
    view.setUint32(16, at, true)
  })
  return new Blob([...parts, directory, end], { type: 'application/zip' })
}

function factsOf(name: Uint8Array<ArrayBuffer>, plain: Uint8Array<ArrayBuffer>, packed: number) {
  const common = bytesOf(24, (view) => {
    view.setUint16(0, flags, true)
    view.setUint16(2, deflated, true)
    // Use the earliest date of the format, so that equal content gives an equal archive.
    view.setUint16(6, 0x00_21, true)
    view.setUint32(8, crc32(plain), true)
    view.setUint32(12, packed, true)
    view.setUint32(16, plain.byteLength, true)
    view.setUint16(20, name.byteLength, true)
  })
  return { common, name }
}

function headOf(signature: number, versions: readonly number[]): Uint8Array<ArrayBuffer> {
  return bytesOf(4 + 2 * versions.length, (view) => {
    view.setUint32(0, signature, true)
    for (const [index, one] of versions.entries()) view.setUint16(4 + 2 * index, one, true)
  })
}

/** Additional fields of a directory entry: no comment, first disk, no attributes, and the offset of the file. */
function tailOf(at: number): Uint8Array<ArrayBuffer> {
  return bytesOf(14, (view) => view.setUint32(10, at, true))
}

function bytesOf(length: number, write: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  write(new DataView(bytes.buffer))
  return bytes
}

function join(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}

function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Blob> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))).blob()
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xed_b8_83_20 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let value = 0xff_ff_ff_ff
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return (value ^ 0xff_ff_ff_ff) >>> 0
}
