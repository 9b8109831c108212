import { promisify } from 'node:util'
import zlib from 'node:zlib'

import { damaged } from '@harvestman/ports/stores'
import { freeAlone, loneView } from '@harvestman/ports/values'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'

const compress = promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdCompress)
const expand = promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)

// Smaller bodies are not worth compressing.
const minBytes = 4_096
// Below this size, passing the body to a helper thread costs more than compressing or expanding it here, which blocks this
// thread for a third of a millisecond. A caller with many bodies lets the event loop turn in between.
const inPlaceBytes = 131_072
/** Limit for compression: larger bodies are stored uncompressed, and frames that claim to be larger are rejected. */
const maxBytes = 268_435_456
// Bytes that barely shrink, such as images, are not worth expanding again.
const worthwhile = 7 / 8
// Level 3 saves another eighth but takes 50% longer.
const fast = { [zlib.constants.ZSTD_c_compressionLevel]: 1 }

/** A compressed body: a zstd frame. */
export interface CompressedFrame {
  readonly frame: Uint8Array
  /** Number of bytes it expands to. */
  readonly length: number
}

/**
 * Compresses the chunks as one, on a helper thread from 128 KiB, and passes the frame to `use`, with the size that it expands
 * to. `use` must copy the frame, because its memory is freed afterwards; V8 would free it much later. Passes the chunks
 * themselves, without a size, if they have fewer than 4 KiB or more than 256 MiB, or shrink by less than an eighth. The chunks
 * are not changed. If `use` rejects, so does the call, and the frame is left to garbage collection.
 */
export async function withCompressed<Result>(
  chunks: readonly Uint8Array[],
  use: (chunks: readonly Uint8Array[], length: number | undefined) => Promise<Result>,
): Promise<Result> {
  const compressed = await compressChunks(chunks)
  if (!compressed) return use(chunks, undefined)
  const result = await use([compressed.frame], compressed.length)
  freeAlone(compressed.frame)
  return result
}

async function compressChunks(pieces: readonly Uint8Array[]): Promise<CompressedFrame | undefined> {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  if (length < minBytes || length > maxBytes) return undefined
  const [only] = pieces
  const joined = only && pieces.length === 1 ? undefined : await joinInTurns(pieces)
  const isInPlace = length < inPlaceBytes
  // On a helper thread, zlib copies the output from a buffer that cannot be freed. Most bodies shrink to less than half.
  const chunkSize = roomFor(isInPlace ? length : length >> 1)
  const options = { params: fast, chunkSize, pledgedSrcSize: length }
  const input = joined ?? only!
  const packed = isInPlace ? zlib.zstdCompressSync(input, options) : await compress(input, options)
  const frame = ownIn(chunkSize, packed)
  if (joined) freeAlone(joined)
  if (frame.byteLength <= length * worthwhile) return { frame, length }
  freeAlone(frame)
  return undefined
}

/**
 * Expands a frame into new memory, on a helper thread from 128 KiB. Rejects with `store_failed` for a damaged frame, and one
 * that does not expand to the declared number of bytes, from 4 KiB to 256 MiB.
 */
export async function decompressFrame({ frame, length }: CompressedFrame): Promise<Uint8Array> {
  if (!Number.isSafeInteger(length) || length < minBytes || length > maxBytes) throw damaged()
  const chunkSize = roomFor(length)
  const bytes = await expandWithin(frame, { maxOutputLength: length, chunkSize }).catch((cause: unknown) => {
    throw damaged(cause)
  })
  if (bytes.byteLength !== length) throw damaged()
  return ownIn(chunkSize, bytes)
}

async function expandWithin(
  frame: Uint8Array,
  options: zlib.ZstdOptions & { readonly maxOutputLength: number },
): Promise<Buffer> {
  return options.maxOutputLength < inPlaceBytes ? zlib.zstdDecompressSync(frame, options) : expand(frame, options)
}

/** Returns a buffer size that fits the whole result. It is odd, so that the buffer cannot be one of Node's pools. */
function roomFor(length: number): number {
  return (length + 1) | 1
}

/** Marks the bytes as the only content of their buffer, if it has the size that was requested. */
function ownIn(chunkSize: number, bytes: Buffer): Uint8Array {
  return bytes.buffer.byteLength === chunkSize ? loneView(bytes) : bytes
}
