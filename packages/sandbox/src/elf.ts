// Reads the loader and the libraries of an executable from its ELF header.
import { closeSync, openSync, readSync } from 'node:fs'

export interface Needs {
  readonly loader?: string | undefined
  readonly libraries: readonly string[]
}

interface Segment {
  readonly kind: number
  readonly offset: number
  readonly address: number
  readonly size: number
}

const magic = 0x464c457f
const loaded = 1
const dynamic = 2
const interpreter = 3
const needed = 1n
const textTable = 5n
const textSize = 10n
// Far larger than any real table, in bytes.
const most = 4_194_304

/**
 * Returns the loader and the names of the libraries that an executable needs. Returns `undefined` for a file that is not a
 * 64-bit little-endian ELF file, such as a script. Throws the error of the file system if it cannot be read.
 */
export function readNeeds(path: string): Needs | undefined {
  const file = openSync(path, 'r')
  try {
    const read = (offset: number, size: number): Buffer => {
      const bytes = Buffer.alloc(Math.min(size, most))
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset))
    }
    const head = read(0, 64)
    if (head.length < 64 || head.readUInt32LE(0) !== magic || head[4] !== 2 || head[5] !== 1) return undefined
    const segments = readSegments(head, read)
    const loader = segments.find(({ kind }) => kind === interpreter)
    return {
      loader: loader && textAt(read(loader.offset, loader.size), 0),
      libraries: readLibraries(segments, read),
    }
  } finally {
    closeSync(file)
  }
}

type Read = (offset: number, size: number) => Buffer

function readSegments(head: Buffer, read: Read): Segment[] {
  const [start, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)]
  const table = read(start, size * count)
  return Array.from({ length: Math.floor(table.length / size) }, (_, index) => {
    const at = index * size
    return {
      kind: table.readUInt32LE(at),
      offset: Number(table.readBigUInt64LE(at + 8)),
      address: Number(table.readBigUInt64LE(at + 16)),
      size: Number(table.readBigUInt64LE(at + 32)),
    }
  })
}

function readLibraries(segments: readonly Segment[], read: Read): string[] {
  const place = segments.find(({ kind }) => kind === dynamic)
  if (!place) return []
  const table = read(place.offset, place.size)
  const entries = Array.from({ length: Math.floor(table.length / 16) }, (_, index) => ({
    tag: table.readBigInt64LE(index * 16),
    value: Number(table.readBigUInt64LE(index * 16 + 8)),
  }))
  const valueOf = (wanted: bigint): number => entries.find(({ tag }) => tag === wanted)?.value ?? 0
  const address = valueOf(textTable)
  const holder = segments.find(
    (one) => one.kind === loaded && address >= one.address && address < one.address + one.size,
  )
  if (!holder) return []
  const texts = read(address - holder.address + holder.offset, valueOf(textSize))
  return entries.filter(({ tag }) => tag === needed).map(({ value }) => textAt(texts, value))
}

function textAt(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0, start)
  return bytes.toString('latin1', start, end < 0 ? bytes.length : end)
}
