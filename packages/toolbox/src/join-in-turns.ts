import type { OwnedBytes } from '@harvestman/ports'
import { nextTurn } from './next-turn.ts'
import { ownBytes } from '@harvestman/ports/values'

// Bytes per turn. Allocating costs more than copying: this takes about two milliseconds.
const slice = 2_097_152

/** Returns whether this many bytes are few enough (2 MiB) to be copied in one turn of the event loop. */
export function isSoonCopied(length: number): boolean {
  return length <= slice
}

/** Joins chunks into one new buffer. Copies at most 2 MiB in each turn of the event loop. */
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
