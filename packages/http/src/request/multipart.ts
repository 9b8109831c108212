// Parses multipart forms with files (RFC 7578) without copying the bytes.

/** A part of a form. */
export interface FormPart {
  readonly name: string
  /** The file name; absent for a field. */
  readonly fileName: string | undefined
  readonly contentType: string | undefined
  readonly bytes: Uint8Array
}

const maxParts = 20
const maxHeadBytes = 8_192
const lineEnd = '\r\n'
const dash = 0x2d

/**
 * Returns the boundary in a Content-Type header; `undefined` if the type is not `multipart/form-data`, or it has no
 * boundary of up to 70 characters.
 */
export function boundaryOf(contentType: string | null): string | undefined {
  if (!/^multipart\/form-data *;/i.test(contentType ?? '')) return undefined
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? []
  return quoted ?? plain
}

/**
 * Returns the parts of a form, or `undefined` if it is malformed, has more than 20 parts, or a part has more than 8,192 bytes
 * of headers. The bytes of the parts share the memory of `body`.
 */
export function readForm(body: Uint8Array, boundary: string): readonly FormPart[] | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`, 'latin1')
  const opening = delimiter.subarray(lineEnd.length)
  const isAtStart = bytes.subarray(0, opening.length).equals(opening)
  const first = isAtStart ? -lineEnd.length : bytes.indexOf(delimiter)
  if (first < 0 && !isAtStart) return undefined
  const parts: FormPart[] = []
  for (let at = first + delimiter.length; ;) {
    if (bytes[at] === dash && bytes[at + 1] === dash) return parts
    if (parts.length === maxParts) return undefined
    const start = bytes.indexOf(lineEnd, at)
    const end = start < 0 ? -1 : bytes.indexOf(delimiter, start)
    if (end < 0 || bytes.toString('latin1', at, start).trim() !== '') return undefined
    const part = readPart(bytes.subarray(start + lineEnd.length, end))
    if (!part) return undefined
    parts.push(part)
    at = end + delimiter.length
  }
}

function readPart(bytes: Buffer): FormPart | undefined {
  const end = bytes.subarray(0, maxHeadBytes).indexOf(lineEnd + lineEnd)
  if (end < 0) return undefined
  const lines = bytes.toString('utf8', 0, end).split(lineEnd)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const disposition = headers.get('content-disposition') ?? ''
  const name = parameterOf(disposition, 'name')
  if (!/^form-data *;/i.test(disposition) || name === undefined) return undefined
  return {
    name,
    fileName: parameterOf(disposition, 'filename'),
    contentType: headers.get('content-type'),
    bytes: bytes.subarray(end + 2 * lineEnd.length),
  }
}

/** Browsers percent-encode quotes and line breaks in names; older clients escape quotes with a backslash. */
function parameterOf(header: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header) ?? []
  const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' }
  return (
    plain ??
    quoted?.replaceAll(
      /%(?:22|0d|0a)|\\(["\\])/gi,
      (found, kept?: string) => kept ?? escapes[found.toLowerCase()] ?? '',
    )
  )
}
