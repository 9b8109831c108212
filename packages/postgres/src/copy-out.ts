/** The fields of a row, as they are kept. */
export type RawRow = readonly (Buffer | null)[]

/** What a client of the package `pg` does in place of a query of its own. */
export interface CopyOut {
  callback: (error: unknown, rows?: readonly RawRow[]) => void
  submit(connection: { query(text: string): void }): void
  handleError(error: unknown): void
  handleReadyForQuery(): void
  handleCopyData(message: { readonly chunk: Buffer }): void
  handleCommandComplete(): void
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
// The signature, flags, and the length of an extension.
const headBytes = signature.length + 8

/**
 * A `COPY … TO STDOUT (FORMAT binary)`: bytes come as they are, where a usual answer has them as text of twice their length.
 * Each message is a row, the first with the head before it.
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
  // The client reads on into a buffer that it shares among messages.
  const message = hasBufferToItself(chunk) ? chunk : Buffer.from(new Uint8Array(chunk).buffer)
  const hasHead = message.subarray(0, signature.length).equals(signature)
  let at = hasHead ? headBytes + message.readUInt32BE(headBytes - 4) : 0
  // Nothing comes behind the head of no rows, and an end is less than no fields.
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

/** Whether nothing but this message is in its buffer. */
function hasBufferToItself({ buffer, byteOffset, length }: Buffer): boolean {
  return byteOffset === messageHead && buffer.byteLength === messageHead + length
}

/** How many bytes a message of the server has. */
export function messageLength(bytes: Buffer, start: number): number | undefined {
  return start + messageHead <= bytes.length ? 1 + bytes.readUInt32BE(start + 1) : undefined
}
