/** The raw fields of a row. */
export type RawRow = readonly (Buffer | null)[]

/** A custom query object for a client of the package `pg`. */
export interface CopyOut {
  callback: (error: unknown, rows?: readonly RawRow[]) => void
  submit(connection: { query(text: string): void }): void
  handleError(error: unknown): void
  handleReadyForQuery(): void
  handleCopyData(message: { readonly chunk: Buffer }): void
  handleCommandComplete(): void
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
// The signature, the flags, and the length of the header extension.
const headBytes = signature.length + 8

/**
 * Creates the query of a `COPY … TO STDOUT (FORMAT binary)`: it returns bytes unchanged, while an ordinary query encodes them
 * as hex, twice as long. Each message contains one row, the first one also the header.
 */
export function copyOut(text: string, callback: CopyOut['callback']): CopyOut {
  const rows: RawRow[] = []
  const copy: CopyOut = {
    callback,
    submit: (connection) => connection.query(text),
    handleError: (error) => copy.callback(error),
    handleReadyForQuery: () => copy.callback(undefined, rows),
    handleCopyData: ({ chunk }) => {
      const row = rowIn(chunk)
      if (row) rows.push(row)
    },
    handleCommandComplete: () => undefined,
  }
  return copy
}

function rowIn(chunk: Buffer): RawRow | undefined {
  // The client reuses its buffer for several messages.
  const message = hasBufferToItself(chunk) ? chunk : Buffer.from(new Uint8Array(chunk).buffer)
  const hasHead = message.subarray(0, signature.length).equals(signature)
  let at = hasHead ? headBytes + message.readUInt32BE(headBytes - 4) : 0
  // A message without rows contains the header only; the trailer has a negative field count.
  const count = at + 2 <= message.length ? message.readInt16BE(at) : -1
  at += 2
  if (count < 0) return undefined
  return Array.from({ length: count }, () => {
    const length = message.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return message.subarray(at - length, at)
  })
}

const messageHead = 5

/** Returns whether the message is alone in its buffer. */
function hasBufferToItself({ buffer, byteOffset, length }: Buffer): boolean {
  return byteOffset === messageHead && buffer.byteLength === messageHead + length
}

/** Returns the length in bytes of the server message at `start`; `undefined` while its header is incomplete. */
export function messageLength(bytes: Buffer, start: number): number | undefined {
  return start + messageHead <= bytes.length ? 1 + bytes.readUInt32BE(start + 1) : undefined
}
