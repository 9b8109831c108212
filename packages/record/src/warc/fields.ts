/** A name and value, of a WARC record or of an HTTP message. */
export type Field = readonly [name: string, value: string]

/** A record of a WARC file. */
export interface WarcRecord {
  /** By lower-case name. */
  readonly fields: ReadonlyMap<string, string>
  readonly block: Uint8Array
}

const lineEnd = '\r\n'
const headEnd = Buffer.from('\r\n\r\n')

/** Maximum size of the head of a record or HTTP message in bytes, with the empty line after it. */
export const maxHeadBytes = 65_536
const maxHeadLines = 2_000

/** Formats a record: version, fields with the length of the block, block. */
export function printRecord(fields: readonly Field[], pieces: readonly Uint8Array[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const all = [...fields, ['Content-Length', String(length)] as const]
  const lines = all.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`)
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join(lineEnd)}\r\n\r\n`), ...pieces, headEnd])
}

/**
 * Returns the offset after the empty line that ends the head of a record or HTTP message, or `undefined` if there is none in the
 * first 65,536 bytes.
 */
export function endOfHead(bytes: Uint8Array): number | undefined {
  const at = bufferOf(bytes.subarray(0, maxHeadBytes)).indexOf(headEnd)
  return at < 0 ? undefined : at + headEnd.length
}

/** Returns the lines of a head, or `undefined` if there are more than 2,000. */
export function linesOf(head: string): readonly string[] | undefined {
  const lines = head.split(lineEnd, maxHeadLines + 1)
  return lines.length > maxHeadLines ? undefined : lines
}

/**
 * Parses the fields of a record, with folded lines joined. Returns `undefined` if it is not a WARC record, or has more than 2,000
 * lines.
 */
export function readFields(head: string): ReadonlyMap<string, string> | undefined {
  const [version = '', ...lines] = linesOf(head.replaceAll(/\r\n[ \t]+/g, ' ')) ?? []
  if (!/^WARC\/1\.[01]$/.test(version)) return undefined
  return new Map(
    lines.flatMap((line): Field[] => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]] : []
    }),
  )
}

/** Returns a Buffer over the same memory. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
