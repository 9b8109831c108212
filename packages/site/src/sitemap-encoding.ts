import { TextDecoder } from 'node:util'

/** Converts a stream of bytes to an encoding in which ASCII characters are single bytes, and removes the byte order mark. */
export interface PlainBytes {
  feed(piece: Uint8Array): Buffer | undefined
  end(): Buffer | undefined
}

// Enough bytes to detect a byte order mark, or the encoding of `<?`.
const headBytes = 4

/**
 * Creates a converter that removes byte order mark and leading white space, and converts UTF-16 to UTF-8. `feed` returns
 * `undefined` until it has 4 bytes, and `end` what is left, if anything.
 */
export function plainBytes(): PlainBytes {
  let head: Buffer | undefined = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  let hasBegun = false

  const begin = (bytes: Buffer): Buffer => {
    const label = wideLabel(bytes)
    if (label) decoder = new TextDecoder(label)
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
  }
  const plain = (bytes: Buffer, isLast: boolean): Buffer => {
    const narrow = decoder ? Buffer.from(decoder.decode(bytes, { stream: !isLast })) : bytes
    if (hasBegun) return narrow
    // Skips whitespace at the start.
    let at = 0
    while (at < narrow.length && narrow[at]! <= 0x20) at++
    hasBegun = at < narrow.length
    return narrow.subarray(at)
  }
  const open = (isLast: boolean): Buffer => {
    const bytes = begin(head!)
    head = undefined
    return plain(bytes, isLast)
  }
  return {
    feed: (piece) => {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      if (!head) return plain(bytes, false)
      head = head.length === 0 ? bytes : Buffer.concat([head, bytes])
      return head.length < headBytes ? undefined : open(false)
    },
    end: () => (head ? open(true) : decoder ? plain(Buffer.alloc(0), true) : undefined),
  }
}

function wideLabel(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return undefined
}
