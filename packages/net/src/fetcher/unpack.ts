import type { Transform } from 'node:stream'
import zlib, { constants } from 'node:zlib'

/** One layer of `Content-Encoding`. */
export interface Packing {
  /**
   * Returns whether bytes with this beginning can have this encoding. Hosts often announce an encoding that a proxy has
   * removed.
   */
  begins(head: Uint8Array): boolean
  /**
   * Creates a decompressing stream. Without a head the bytes are assumed to follow the standard. If the input ends early, the
   * stream emits the decompressed part and then fails with an error for which `isEarlyEnd` is true.
   */
  stream(head?: Uint8Array): Transform
  /** Decompresses synchronously; throws if the result is larger than `largest`, or if the input ends early. */
  all(bytes: Uint8Array, largest: number): Uint8Array
}

// Larger chunks mean fewer round trips to the thread pool.
const chunkSize = 65_536

const inflating = { chunkSize }
const brotli = { chunkSize }
// A sender may request a window of 128 MB; on the web the limit is 8 MB (RFC 9659).
const zstd = {
  chunkSize,
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
}

/** Returns whether a stream failed because its input ended early. Everything that could be decompressed was emitted before. */
export function isEarlyEnd(error: Error): boolean {
  return 'code' in error && error.code === 'Z_BUF_ERROR'
}

const gzipPacking: Packing = {
  begins: (head) => head[0] === 0x1f && (head[1] ?? 0x8b) === 0x8b,
  stream: () => zlib.createGunzip(inflating),
  all: gunzip,
}

const trailerBytes = 8

/**
 * Decompresses member by member, so that bytes after the last one are ignored: some hosts append whitespace or a comment.
 * Checksums are not verified, as in browsers.
 */
function gunzip(bytes: Uint8Array, largest: number): Uint8Array {
  const members: Uint8Array[] = []
  let size = 0
  let at = 0
  while (at < bytes.length && gzipPacking.begins(bytes.subarray(at))) {
    const start = at + headerBytes(bytes.subarray(at))
    const options = { ...inflating, maxOutputLength: Math.max(largest - size, 1), info: true } as const
    const { buffer, engine } = inflateRaw(bytes.subarray(start), options)
    members.push(buffer)
    size += buffer.length
    at = start + engine.bytesWritten + trailerBytes
  }
  return members.length === 1 ? members[0]! : Buffer.concat(members, size)
}

// Cast: with `info` the result has this type, which Node's types do not declare.
const inflateRaw = zlib.inflateRawSync as unknown as (
  bytes: Uint8Array,
  options: zlib.ZlibOptions & { readonly info: true },
) => { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } }

/** Returns the length of the header of a member (RFC 1952). */
function headerBytes(member: Uint8Array): number {
  const flags = member[3] ?? 0
  let at = 10
  if (flags & 4) at += 2 + (member[at] ?? 0) + ((member[at + 1] ?? 0) << 8)
  for (const text of [8, 16]) if (flags & text) at = member.indexOf(0, at) + 1 || member.length
  return flags & 2 ? at + 2 : at
}

const zstdPacking: Packing = {
  // Skippable frames have magic numbers of their own.
  begins: (head) => (head[0] === 0x28 && (head[1] ?? 0xb5) === 0xb5) || ((head[0] ?? 0) & 0xf0) === 0x50,
  stream: () => zlib.createZstdDecompress(zstd),
  all: (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { ...zstd, maxOutputLength }),
}

const brotliPacking: Packing = {
  begins: () => true,
  stream: () => zlib.createBrotliDecompress(brotli),
  all: (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { ...brotli, maxOutputLength }),
}

// By the standard `deflate` has a zlib header; many hosts omit it.
const deflatePacking: Packing = {
  begins: () => true,
  stream: (head) => (!head || hasZlibHeader(head) ? zlib.createInflate(inflating) : zlib.createInflateRaw(inflating)),
  all: (bytes, maxOutputLength) =>
    hasZlibHeader(bytes)
      ? zlib.inflateSync(bytes, { ...inflating, maxOutputLength })
      : zlib.inflateRawSync(bytes, { ...inflating, maxOutputLength }),
}

function hasZlibHeader(head: Uint8Array): boolean {
  const [first = 0, second] = head
  return (first & 0x0f) === 8 && (second === undefined || ((first << 8) | second) % 31 === 0)
}

const packings: Readonly<Record<string, Packing>> = {
  gzip: gzipPacking,
  'x-gzip': gzipPacking,
  br: brotliPacking,
  zstd: zstdPacking,
  deflate: deflatePacking,
}

// Values that hosts send by mistake; none of them is an encoding.
const notPacked = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'iso-8859-1', 'binary', '8bit', 'aws-chunked'])

const maxLayers = 2

/**
 * Parses `Content-Encoding`, outermost layer first; empty without one. Returns a problem if a layer is unknown or there are
 * more than two.
 */
export function packingsOf(header: string | undefined): readonly Packing[] | { readonly problem: string } {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  const layers = names.filter((name) => !notPacked.has(name)).reverse()
  const unknown = layers.find((name) => !Object.hasOwn(packings, name))
  if (unknown !== undefined)
    return { problem: `The response has an unknown content encoding: "${unknown.slice(0, 40)}".` }
  if (layers.length > maxLayers) return { problem: `The response has more than ${maxLayers} content encodings.` }
  return layers.map((name) => packings[name]!)
}
