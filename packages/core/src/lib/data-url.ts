const signatures: readonly (readonly [prefix: string, type: string])[] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['52494646', 'image/webp'],
  ['25504446', 'application/pdf'],
]

/** Puts a picture or a PDF into an address of its own. */
export function dataUrl(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = buffer.toString('hex', 0, 4)
  const type = signatures.find(([prefix]) => head.startsWith(prefix))?.[1] ?? 'application/octet-stream'
  return `data:${type};base64,${buffer.toString('base64')}`
}
