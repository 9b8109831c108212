/** Cache of a fixed size in bytes. New values overwrite the oldest ones. */
export interface ByteRing {
  /** Returns a copy. */
  get(key: string): Uint8Array | undefined
  /** Stores a copy of the joined chunks. Ignored if they are larger than the cache. */
  set(key: string, pieces: readonly Uint8Array[]): void
}

interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Creates an empty cache of `size` bytes, allocated on the first `set`. `get` returns a copy, or `undefined` for a value that
 * was not stored, was overwritten by newer ones, or is larger than the cache. All values share one buffer: many medium-lived
 * buffers would each survive until a full garbage collection, and trigger it.
 */
export function byteRing(size: number): ByteRing {
  // Positions in the order of the ring, oldest first.
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
