import type { OwnedBytes } from '../bytes.ts'
import { nextTurn } from './next-turn.ts'
import { ownBytes } from './owned-bytes.ts'

// New memory costs more than the copying: this much takes about two milliseconds.
const slice = 2_097_152

/** Returns whether these bytes are so few that they may be copied at once. */
export function isSoonCopied(length: number): boolean {
  return length <= slice
}

/** The pieces as one run of bytes of its own. However many they are, a little is copied in each turn of the event loop. */
export async function joinInTurns(pieces: readonly Uint8Array[]): Promise<OwnedBytes> {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  const joined = Buffer.allocUnsafeSlow(length)
  let copied = 0
  let pause = slice
  for (const piece of pieces) {
    for (let start = 0; start < piece.byteLength; start += slice) {
      const part = piece.subarray(start, start + slice)
      joined.set(part, copied)
      copied += part.byteLength
      if (copied < pause) continue
      await nextTurn()
      pause = copied + slice
    }
  }
  return ownBytes(joined)
}
