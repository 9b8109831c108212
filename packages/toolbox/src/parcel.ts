import { damaged, parseStored } from '@harvestman/ports/stores'

/** A JSON head and raw bytes in one buffer: the length of the head (32 bits), the head, the bytes. */
export interface Parcel<Head> {
  readonly head: Head
  readonly body: Uint8Array
}

const lengthBytes = 4

/** Packs a head and a body, which may be in chunks. Everything is copied once. */
export function packParcel(head: unknown, body: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parcelPieces(head, body))
}

/** Returns the chunks of a parcel, for callers that join them themselves. The body is not copied. */
export function parcelPieces(head: unknown, body: readonly Uint8Array[]): readonly Uint8Array[] {
  const text = JSON.stringify(head)
  const start = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(text))
  start.writeUInt32BE(start.length - lengthBytes)
  start.write(text, lengthBytes)
  return [start, ...body]
}

/** Unpacks a parcel. The body is a view of these bytes. Throws `store_failed` if they are damaged. */
export function unpackParcel<Head>(bytes: Uint8Array): Parcel<Head> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < lengthBytes) throw damaged()
  const start = lengthBytes + buffer.readUInt32BE()
  if (start > buffer.length) throw damaged()
  return { head: parseStored(buffer.toString('utf8', lengthBytes, start)) as Head, body: bytes.subarray(start) }
}
