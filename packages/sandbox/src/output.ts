/** Bytes of a stream up to a bound, and then the text of them. */
export interface Output {
  add(bytes: Uint8Array): void
  text(): string
  readonly isCut: boolean
}

const cutMark = '\n[The rest of the output was left out.]'

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
    // Bytes that are no text become the sign for that, and zero bytes too: not every reader takes those.
    text: () => new TextDecoder().decode(Buffer.concat(parts)).replaceAll('\0', '\uFFFD') + (isCut ? cutMark : ''),
    get isCut() {
      return isCut
    },
  }
}
