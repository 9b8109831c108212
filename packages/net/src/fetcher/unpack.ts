import type { Transform } from 'node:stream'
import zlib, { constants } from 'node:zlib'

/** One layer of `Content-Encoding`. */
export interface Packing {
  /** Whether bytes that begin so can be of this kind. Hosts often announce a packing that a proxy has undone. */
  begins(head: Uint8Array): boolean
  /** Without a head the bytes are taken to be written by the standard. What ends early gives what is there, then `isEarlyEnd`. */
  stream(head?: Uint8Array): Transform
  /** Unpacks at once, on this thread; throws when the result is larger, or when the input ends early. */
  all(bytes: Uint8Array, largest: number): Uint8Array
}

// Larger pieces mean fewer trips to another thread.
const chunkSize = 65_536

const inflating = { chunkSize }
const brotli = { chunkSize }
// A sender may ask for a window of 128 MB; on the web 8 MB are the limit (RFC 9659).
const zstd = {
  chunkSize,
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
}

/** Returns whether a stream failed because its input ended early. All that could be unpacked was emitted before. */
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
 * Member by member, so that what stands behind the last one costs nothing: some hosts append blanks or a comment. The
 * checksums are not looked at; browsers do not, either.
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

// With `info` the result is this; the types of Node do not say so.
// Cast: see above.
const inflateRaw = zlib.inflateRawSync as unknown as (
  bytes: Uint8Array,
  options: zlib.ZlibOptions & { readonly info: true },
) => { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } }

/** How long the header of a member is (RFC 1952). */
function headerBytes(member: Uint8Array): number {
  const flags = member[3] ?? 0
  let at = 10
  if (flags & 4) at += 2 + (member[at] ?? 0) + ((member[at + 1] ?? 0) << 8)
  for (const text of [8, 16]) if (flags & text) at = member.indexOf(0, at) + 1 || member.length
  return flags & 2 ? at + 2 : at
}

const zstdPacking: Packing = {
  // Skippable frames have a family of marks of their own.
  begins: (head) => (head[0] === 0x28 && (head[1] ?? 0xb5) === 0xb5) || ((head[0] ?? 0) & 0xf0) === 0x50,
  stream: () => zlib.createZstdDecompress(zstd),
  all: (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { ...zstd, maxOutputLength }),
}

const brotliPacking: Packing = {
  begins: () => true,
  stream: () => zlib.createBrotliDecompress(brotli),
  all: (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { ...brotli, maxOutputLength }),
}

// By the standard `deflate` is zlib with its header; many hosts leave the header out.
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

// What hosts put there by mistake; none of it is a packing.
const notPacked = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'iso-8859-1', 'binary', '8bit', 'aws-chunked'])

const mostLayers = 2

/** Reads `Content-Encoding`, outermost layer first. Gives a problem instead when one of them is not known. */
export function packingsOf(header: string | undefined): readonly Packing[] | { readonly problem: string } {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  const layers = names.filter((name) => !notPacked.has(name)).reverse()
  const unknown = layers.find((name) => !Object.hasOwn(packings, name))
  if (unknown !== undefined)
    return { problem: `The answer is packed in a way that is not known: "${unknown.slice(0, 40)}".` }
  if (layers.length > mostLayers) return { problem: `The answer is packed more than ${mostLayers} times over.` }
  return layers.map((name) => packings[name]!)
}
