import { promisify } from 'node:util'
import zlib from 'node:zlib'

import { damaged, freeAlone, joinInTurns, loneView } from '@harvestman/ports/adapters'

const compress = promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdCompress)
const expand = promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)

// Below, a frame costs more than it saves.
const leastBytes = 4_096
// Below, the way to a helper thread costs three times what it saves, and the calling thread is held for a third of a millisecond.
const inPlaceBytes = 131_072
/** No frame is read that says it has more: what is larger is kept as it is. */
const mostBytes = 268_435_456
// Bytes that are compressed already, as a picture, are not worth expanding.
const worthwhile = 7 / 8
// Level 3 saves an eighth more and takes half as long again.
const fast = { [zlib.constants.ZSTD_c_compressionLevel]: 1 }

/** Bytes as a zstd frame. */
export interface Pressed {
  readonly frame: Uint8Array
  /** Number of bytes it expands to. */
  readonly length: number
}

/** Compresses the pieces as one, what is large off the main thread; nothing where it does not pay. The pieces stay as they are. */
export async function press(pieces: readonly Uint8Array[]): Promise<Pressed | undefined> {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  if (length < leastBytes || length > mostBytes) return undefined
  const [only] = pieces
  const joined = only && pieces.length === 1 ? undefined : await joinInTurns(pieces)
  const chunkSize = roomFor(length)
  const options = { params: fast, chunkSize, pledgedSrcSize: length }
  const whole = joined ?? only!
  const packed = length < inPlaceBytes ? zlib.zstdCompressSync(whole, options) : await compress(whole, options)
  const frame = ownIn(chunkSize, packed)
  if (joined) freeAlone(joined)
  if (frame.byteLength <= length * worthwhile) return { frame, length }
  freeAlone(frame)
  return undefined
}

/** Expands a frame into memory of its own. One that is damaged, or has more in it than was said, is refused. */
export async function unpress({ frame, length }: Pressed): Promise<Uint8Array> {
  if (!Number.isSafeInteger(length) || length < leastBytes || length > mostBytes) throw damaged()
  const chunkSize = roomFor(length)
  const bytes = await expand(frame, { maxOutputLength: length, chunkSize }).catch((cause: unknown) => {
    throw damaged(cause)
  })
  if (bytes.byteLength !== length) throw damaged()
  return ownIn(chunkSize, bytes)
}

/** Size of a buffer that takes all; odd, as no pool of Node is. */
function roomFor(length: number): number {
  return (length + 1) | 1
}

/** Returns bytes that have their buffer to themselves, when it was made for them. */
function ownIn(chunkSize: number, bytes: Buffer): Uint8Array {
  return bytes.buffer.byteLength === chunkSize ? loneView(bytes) : bytes
}
