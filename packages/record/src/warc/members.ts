// Each record is a separate gzip member, so that it can be read without those before it.
import zlib, { constants, crc32 } from 'node:zlib'

import { errorCode } from '@harvestman/toolbox/error-message'
import { bufferOf } from './fields.ts'

const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const trailerBytes = 8
// Creating a compressor costs more than it would save on such a small record.
const smallBytes = 2_048
const storedMost = 65_535

/**
 * Packs a record as one gzip member. Small records are stored uncompressed. `level` is the compression level of zlib;
 * 0 means uncompressed.
 */
export function packMember(bytes: Uint8Array, level: number): Buffer {
  const packed = bytes.length <= smallBytes || level === 0 ? stored(bytes) : [zlib.deflateRawSync(bytes, { level })]
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeUInt32LE(crc32(bytes), 0)
  trailer.writeUInt32LE(bytes.length % 2 ** 32, 4)
  return Buffer.concat([head, ...packed, trailer])
}

/** Returns uncompressed DEFLATE blocks. */
function stored(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += storedMost) {
    const piece = bytes.subarray(at, at + storedMost)
    const mark = Buffer.alloc(5)
    mark.writeUInt8(at + storedMost >= bytes.length ? 1 : 0, 0)
    mark.writeUInt16LE(piece.length, 1)
    mark.writeUInt16LE(~piece.length & 0xffff, 3)
    blocks.push(mark, piece)
  }
  return blocks
}

/** An unpacked gzip member, and its compressed length in bytes. */
export interface Member {
  readonly bytes: Buffer
  readonly length: number
}

/**
 * Unpacks the member at the start of the bytes, without verifying its checksum. Returns `short` if it continues after them,
 * `undefined` if it is invalid or unpacks to more than `largest` bytes.
 */
export function unpackMember(bytes: Uint8Array, largest: number): Member | 'short' | undefined {
  const start = startOf(bytes)
  if (typeof start !== 'number') return start
  try {
    const { buffer, engine } = inflateRaw(bytes.subarray(start), { info: true, maxOutputLength: largest })
    const length = start + engine.bytesWritten + trailerBytes
    return length > bytes.length ? 'short' : { bytes: buffer, length }
  } catch (error) {
    return errorCode(error) === 'Z_BUF_ERROR' ? 'short' : undefined
  }
}

/** Does the same as `unpackMember` in the thread pool of Node.js. */
export async function unpackMemberLater(bytes: Uint8Array, largest: number): Promise<Member | 'short' | undefined> {
  const start = startOf(bytes)
  if (typeof start !== 'number') return start
  return new Promise((resolve) => {
    inflateRawLater(bytes.subarray(start), { info: true, maxOutputLength: largest }, (error, unpacked) => {
      if (!unpacked) return resolve(errorCode(error) === 'Z_BUF_ERROR' ? 'short' : undefined)
      const length = start + unpacked.engine.bytesWritten + trailerBytes
      resolve(length > bytes.length ? 'short' : { bytes: unpacked.buffer, length })
    })
  })
}

/** Returns the length of the header of the member, as far as it is complete and valid. */
function startOf(bytes: Uint8Array): number | 'short' | undefined {
  if (bytes.length < head.length + trailerBytes) return 'short'
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined
  return headBytes(bytes) ?? 'short'
}

interface Unpacked {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}

// With `info` the result has this form, which the types of Node.js lack.
// Cast: see above.
const inflateRaw = zlib.inflateRawSync as unknown as (
  bytes: Uint8Array,
  options: zlib.ZlibOptions & { readonly info: true },
) => Unpacked
// Cast: see above.
const inflateRawLater = zlib.inflateRaw as unknown as (
  bytes: Uint8Array,
  options: zlib.ZlibOptions & { readonly info: true },
  done: (error: Error | null, unpacked: Unpacked | undefined) => void,
) => void

/** Returns the length of a member's header (RFC 1952), or `undefined` if it is incomplete. */
function headBytes(member: Uint8Array): number | undefined {
  const flags = member[3] ?? 0
  let at = head.length
  if (flags & 4) at += 2 + (member[at] ?? 0) + ((member[at + 1] ?? 0) << 8)
  for (const text of [8, 16]) {
    if (!(flags & text)) continue
    const end = bufferOf(member).indexOf(0, at)
    if (end < 0) return undefined
    at = end + 1
  }
  if (flags & 2) at += 2
  return at < member.length ? at : undefined
}

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer

const lenient = { finishFlush: constants.Z_SYNC_FLUSH }
const packings: Readonly<Record<string, Unpack>> = {
  gzip: (bytes, options) => zlib.gunzipSync(bytes, { ...lenient, ...options }),
  'x-gzip': (bytes, options) => zlib.gunzipSync(bytes, { ...lenient, ...options }),
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8
      ? zlib.inflateSync(bytes, { ...lenient, ...options })
      : zlib.inflateRawSync(bytes, { ...lenient, ...options }),
  br: (bytes, options) => zlib.brotliDecompressSync(bytes, options),
  zstd: (bytes, options) => zlib.zstdDecompressSync(bytes, options),
}

/**
 * Decodes a body by its `content-encoding`; unknown encodings are skipped. Returns the body unchanged if it cannot be decoded,
 * or would have more than `largest` bytes.
 */
export function unpackBody(body: Uint8Array, encoding: string | undefined, largest: number): Uint8Array {
  const layers = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  try {
    return layers
      .toReversed()
      .reduce((bytes, layer) => packings[layer]?.(bytes, { maxOutputLength: largest }) ?? bytes, body)
  } catch {
    return body
  }
}
