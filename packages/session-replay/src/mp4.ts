// Writes H.264 as fragmented MP4: one header per video, and a fragment per segment.

/** The properties that all fragments of a video share. */
export interface VideoShape {
  readonly width: number
  readonly height: number
  /** The encoder's decoder configuration record (`avcC`). */
  readonly description: Uint8Array
}

/** An encoded picture. */
export interface Sample {
  readonly bytes: Uint8Array
  /** In milliseconds. */
  readonly duration: number
  /** Whether it can be decoded without earlier samples. */
  readonly isKey: boolean
}

const trackId = 1
// Times are in milliseconds.
const timescale = 1_000
const unityMatrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]

/** Returns the header of a video, which a player needs before the first fragment. */
export function mp4Header({ width, height, description }: VideoShape): Uint8Array {
  const picture = box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    u16(width),
    u16(height),
    u32(0x48_0000, 0x48_0000, 0),
    u16(1),
    zeros(32),
    u16(0x18, 0xffff),
    box('avcC', description),
  )
  const tables = box(
    'stbl',
    full('stsd', 0, u32(1), picture),
    ...['stts', 'stsc', 'stco'].map((name) => full(name, 0, u32(0))),
    full('stsz', 0, u32(0, 0)),
  )
  const media = box(
    'mdia',
    full('mdhd', 0, u32(0, 0, timescale, 0), u16(0x55c4, 0)),
    full('hdlr', 0, u32(0), text('vide'), zeros(12), text('video\0')),
    box('minf', full('vmhd', 1, zeros(8)), box('dinf', full('dref', 0, u32(1), full('url ', 1))), tables),
  )
  const head = u32(0, 0, trackId, 0, 0)
  const track = full('tkhd', 3, head, zeros(8), u16(0, 0, 0, 0), u32(...unityMatrix), u32(width << 16, height << 16))
  const movie = full(
    'mvhd',
    0,
    u32(0, 0, timescale, 0, 0x1_0000),
    u16(0x100, 0),
    zeros(8),
    u32(...unityMatrix),
    zeros(24),
    u32(trackId + 1),
  )
  return join(
    box('ftyp', text('iso5'), u32(512), text('iso5iso6mp41')),
    box('moov', movie, box('trak', track, media), box('mvex', full('trex', 0, u32(trackId, 1, 0, 0, 0)))),
  )
}

const isKeyFlags = 0x0200_0000
const dependsFlags = 0x0101_0000
// Each sample has a duration, size and flags, and the fragment has the offset of the first sample.
const runFlags = 0x701
// Offsets of sample data are relative to the start of the fragment.
const baseIsFragment = 0x2_0000

/** Returns a fragment of a video. `sequence` is its number, from 1, and `at` its start time in the video, in milliseconds. */
export function mp4Fragment(sequence: number, at: number, samples: readonly Sample[]): Uint8Array {
  const rows = samples.map(({ bytes, duration, isKey }) =>
    u32(duration, bytes.length, isKey ? isKeyFlags : dependsFlags),
  )
  const head = (offset: number): Uint8Array =>
    box(
      'moof',
      full('mfhd', 0, u32(sequence)),
      box(
        'traf',
        full('tfhd', baseIsFragment, u32(trackId)),
        full('tfdt', 0, u32(at)),
        full('trun', runFlags, u32(samples.length, offset), ...rows),
      ),
    )
  const headerBytes = 8
  return join(head(head(0).length + headerBytes), box('mdat', ...samples.map(({ bytes }) => bytes)))
}

function box(name: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + length, 8)
  return join(u32(size), text(name), ...parts)
}

/** Returns a box with version 0 and flags. */
function full(name: string, flags: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return box(name, u32(flags), ...parts)
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}

const text = (words: string): Uint8Array => Buffer.from(words, 'latin1')
const zeros = (count: number): Uint8Array => new Uint8Array(count)

function u32(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}

function u16(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2)
  return bytes
}
