/** A head as JSON and bytes as they are, as one run of bytes: the length of the head, the head, the bytes. */
export interface Parcel<Head> {
  readonly head: Head
  readonly body: Uint8Array
}

const lengthBytes = 4

/** The body may come in pieces, so that nobody has to join them before. All is written to where it stays. */
export function packParcel(head: unknown, body: readonly Uint8Array[]): Uint8Array {
  const text = JSON.stringify(head)
  const textLength = Buffer.byteLength(text)
  const bodyLength = body.reduce((sum, { length }) => sum + length, 0)
  const parcel = Buffer.allocUnsafe(lengthBytes + textLength + bodyLength)
  parcel.writeUInt32BE(textLength)
  let at = lengthBytes + parcel.write(text, lengthBytes)
  for (const piece of body) {
    parcel.set(piece, at)
    at += piece.length
  }
  return parcel
}

/** The body is a view of the same bytes. */
export function unpackParcel<Head>(bytes: Uint8Array): Parcel<Head> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = lengthBytes + buffer.readUInt32BE()
  return { head: JSON.parse(buffer.toString('utf8', lengthBytes, start)) as Head, body: bytes.subarray(start) }
}
