/** The first frames of an HTTP/2 client, until its first request. */
export interface Http2Start {
  /** Ids and values in the order sent. */
  readonly settings: readonly (readonly [id: number, value: number])[]
  /** Increment of the window of the connection, in bytes. */
  readonly windowUpdate: number | undefined
  /** Priority in the first HEADERS frame. */
  readonly priority: { readonly weight: number; readonly isExclusive: boolean } | undefined
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

/** Reads the first frames of a client. Returns `undefined` until its first HEADERS frame has arrived. */
export function readHttp2Start(bytes: Buffer): Http2Start | undefined {
  const settings: (readonly [number, number])[] = []
  let windowUpdate: number | undefined
  for (let at = preface.length; at + 9 <= bytes.length;) {
    const length = bytes.readUIntBE(at, 3)
    const type = bytes[at + 3]
    const flags = bytes[at + 4] ?? 0
    const stream = bytes.readUInt32BE(at + 5)
    const body = bytes.subarray(at + 9, at + 9 + length)
    if (body.length < length) return undefined
    if (type === 4 && flags === 0)
      for (let entry = 0; entry + 6 <= length; entry += 6)
        settings.push([body.readUInt16BE(entry), body.readUInt32BE(entry + 2)])
    if (type === 8 && stream === 0) windowUpdate = body.readUInt32BE(0)
    if (type === 1) return { settings, windowUpdate, priority: priorityIn(body, flags) }
    at += 9 + length
  }
  return undefined
}

function priorityIn(body: Buffer, flags: number): Http2Start['priority'] {
  if ((flags & 0x20) === 0) return undefined
  const at = (flags & 0x08) === 0 ? 0 : 1
  return { weight: (body[at + 4] ?? 0) + 1, isExclusive: (body[at] ?? 0) >= 0x80 }
}
