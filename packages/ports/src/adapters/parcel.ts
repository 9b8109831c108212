import { damaged, parseKept } from './kept-json.ts'

/** A head as JSON and bytes as they are, as one run of bytes: the length of the head, the head, the bytes. */
export interface Parcel<Head> {
  readonly head: Head
  readonly body: Uint8Array
}

const lengthBytes = 4

/** The body may come in pieces, so that they need not be joined before. All is written to where it stays. */
export function packParcel(head: unknown, body: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parcelPieces(head, body))
}

/** The pieces that make a parcel, for who joins them where it stays. */
export function parcelPieces(head: unknown, body: readonly Uint8Array[]): readonly Uint8Array[] {
  const text = JSON.stringify(head)
  const start = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(text))
  start.writeUInt32BE(start.length - lengthBytes)
  start.write(text, lengthBytes)
  return [start, ...body]
}

/** The body is a view of these bytes. */
export function unpackParcel<Head>(bytes: Uint8Array): Parcel<Head> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < lengthBytes) throw damaged()
  const start = lengthBytes + buffer.readUInt32BE()
  if (start > buffer.length) throw damaged()
  return { head: parseKept(buffer.toString('utf8', lengthBytes, start)) as Head, body: bytes.subarray(start) }
}
