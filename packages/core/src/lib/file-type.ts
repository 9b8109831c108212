const signatures: readonly (readonly [prefix: string, type: string])[] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['52494646', 'image/webp'],
  ['47494638', 'image/gif'],
  ['424d', 'image/bmp'],
  ['25504446', 'application/pdf'],
]

/**
 * Detects the media type of a PNG, JPEG, WebP, GIF, BMP or PDF file by its first bytes; any RIFF file counts as WebP. Returns
 * `application/octet-stream` for anything else.
 */
export function fileType(bytes: Uint8Array): string {
  const head = viewOf(bytes).toString('hex', 0, 4)
  return signatures.find(([prefix]) => head.startsWith(prefix))?.[1] ?? 'application/octet-stream'
}

/** Converts an image or a PDF to a data URL. Its media type is that of `fileType`. */
export function dataUrl(bytes: Uint8Array): string {
  return `data:${fileType(bytes)};base64,${viewOf(bytes).toString('base64')}`
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
