/** Collects the bytes of a stream up to a limit and decodes them. */
export interface Output {
  add(bytes: Uint8Array): void
  text(): string
  readonly isCut: boolean
}

const cutMark = '\n[The rest of the output was left out.]'

/**
 * Creates a collector of output, which retains the first `most` bytes. Its text is UTF-8, with a mark at the end if it was cut;
 * invalid bytes and NUL characters are replaced.
 */
export function makeOutput(most: number): Output {
  const parts: Uint8Array[] = []
  let size = 0
  let isCut = false
  return {
    add: (bytes) => {
      const room = most - size
      if (bytes.length > room) isCut = true
      if (room <= 0) return
      parts.push(Uint8Array.prototype.slice.call(bytes, 0, room))
      size += Math.min(room, bytes.length)
    },
    // Replaces invalid UTF-8 and NUL characters, which not every consumer accepts.
    text: () => new TextDecoder().decode(Buffer.concat(parts)).replaceAll('\0', '\uFFFD') + (isCut ? cutMark : ''),
    get isCut() {
      return isCut
    },
  }
}
