/** A named field of a record, as it stands in the file. */
export type Field = readonly [name: string, value: string]

/** A record of a WARC file. */
export interface WarcRecord {
  /** By their names in lower case. */
  readonly fields: ReadonlyMap<string, string>
  readonly block: Uint8Array
}

const lineEnd = '\r\n'
const headEnd = Buffer.from('\r\n\r\n')

/** Prints a record: its version, its fields with the length of the block, the block. */
export function printRecord(fields: readonly Field[], pieces: readonly Uint8Array[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const all = [...fields, ['Content-Length', String(length)] as const]
  const lines = all.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`)
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join(lineEnd)}\r\n\r\n`), ...pieces, headEnd])
}

/** Where the head of a record or of an HTTP message ends: the place of its first byte behind the empty line. */
export function endOfHead(bytes: Uint8Array): number | undefined {
  const at = bufferOf(bytes).indexOf(headEnd)
  return at < 0 ? undefined : at + headEnd.length
}

/** Reads the fields of a record, or nothing when it is none. Folded lines are joined. */
export function readFields(head: string): ReadonlyMap<string, string> | undefined {
  const [version = '', ...lines] = head.replaceAll(/\r\n[ \t]+/g, ' ').split(lineEnd)
  if (!/^WARC\/1\.[01]$/.test(version)) return undefined
  return new Map(
    lines.flatMap((line): Field[] => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]] : []
    }),
  )
}

/** The same bytes, with the methods of a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
