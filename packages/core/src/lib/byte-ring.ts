/** Bytes by key in a room of one size: what comes in takes the place of what has been there longest. */
export interface ByteRing {
  /** A copy. */
  get(key: string): Uint8Array | undefined
  /** Takes a copy of the pieces, as one; nothing is kept when they are larger than the room. */
  set(key: string, pieces: readonly Uint8Array[]): void
}

interface Place {
  readonly start: number
  readonly end: number
}

// One buffer for all: many that come and go after a while would each wait for a full collection of the heap, and bring it on.
export function byteRing(size: number): ByteRing {
  // Places in the order of the ring, the oldest first.
  const places = new Map<string, Place>()
  let room: Buffer | undefined
  let head = 0

  const makePlace = (length: number): Place => {
    const isTurning = head + length > size
    const start = isTurning ? 0 : head
    const end = start + length
    for (const [key, place] of places) {
      const isInTheWay = place.start < end && place.end > start
      const isBehind = isTurning && place.start >= head
      if (!isInTheWay && !isBehind) break
      places.delete(key)
    }
    return { start, end }
  }

  return {
    get: (key) => {
      const place = places.get(key)
      return place && room && Buffer.from(room.subarray(place.start, place.end))
    },
    set: (key, pieces) => {
      places.delete(key)
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
      if (length > size) return
      room ??= Buffer.allocUnsafeSlow(size)
      const place = makePlace(length)
      let at = place.start
      for (const piece of pieces) {
        room.set(piece, at)
        at += piece.length
      }
      places.set(key, place)
      head = place.end
    },
  }
}
