const markers = { start: 0xd8, end: 0xd9, scan: 0xda, app1: 0xe1 }
// Baseline, extended and progressive.
const frames = [0xc0, 0xc1, 0xc2]
const orientationTag = 0x0112
/** Maximum number of bytes after the end of the image. */
const maxTail = 64
const maxSegments = 1_000

/** Facts about a JPEG file. */
export interface JpegFacts {
  readonly width: number
  readonly height: number
  /** 1 for gray, 3 for colors, 4 for printing colors. */
  readonly components: number
  /** The EXIF orientation, from 1 to 8. Default: 1. */
  readonly orientation: number
}

/** Reads the segments of a JPEG file before its pixels. Returns `undefined` if they are broken or the end of the file is missing. */
export function readJpeg(bytes: Uint8Array): JpegFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tail = bytes.subarray(Math.max(0, bytes.length - maxTail))
  if (bytes[0] !== 0xff || bytes[1] !== markers.start || !hasEnd(tail)) return undefined
  let frame: Omit<JpegFacts, 'orientation'> | undefined
  let orientation = 1
  for (let at = 2, segments = 0; at + 4 <= bytes.length && segments < maxSegments; segments += 1) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff) return undefined
    // Bytes before a marker may be filled.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === markers.scan) return frame && { ...frame, orientation }
    const end = at + 2 + view.getUint16(at + 2)
    if (end > bytes.length) return undefined
    if (frames.includes(marker) && end >= at + 10)
      frame = { height: view.getUint16(at + 5), width: view.getUint16(at + 7), components: bytes[at + 9]! }
    if (marker === markers.app1) orientation = orientationOf(bytes.subarray(at + 4, end)) ?? orientation
    at = end
  }
  return undefined
}

function hasEnd(tail: Uint8Array): boolean {
  return tail.some((byte, at) => byte === 0xff && tail[at + 1] === markers.end)
}

/** Returns the orientation of a segment of EXIF: a TIFF whose first directory has 12 bytes for each value. */
function orientationOf(segment: Uint8Array): number | undefined {
  if (Buffer.from(segment.subarray(0, 6)).toString('latin1') !== 'Exif\0\0' || segment.length < 14) return undefined
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.byteLength - 6)
  const isLittle = tiff.getUint16(0) === 0x4949
  const start = tiff.getUint32(4, isLittle)
  if (start + 2 > tiff.byteLength) return undefined
  const count = tiff.getUint16(start, isLittle)
  for (let at = start + 2, index = 0; index < count && at + 12 <= tiff.byteLength; at += 12, index += 1)
    if (tiff.getUint16(at, isLittle) === orientationTag) return tiff.getUint16(at + 8, isLittle)
  return undefined
}
