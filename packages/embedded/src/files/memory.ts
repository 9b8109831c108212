import { randomUUID } from 'node:crypto'

import { systemClock, type Blob, type Blobs, type Clock } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { blobTooLarge, filesClosed } from './refusals.ts'

/** Options of `memoryBlobs`. */
export interface MemoryBlobsOptions {
  readonly clock?: Clock | undefined
  /** Maximum size of all files in bytes. Beyond it, the least recently used files are removed. */
  readonly bytes?: number | undefined
}

const defaultBytes = 256_000_000
// Memory of a file in addition to its bytes.
const overhead = 1_000

/**
 * Creates a storage of files in memory, with at most `bytes` bytes in total (default 256 MB); the least recently used ones are
 * removed. `get` returns `undefined` for an unknown, removed or expired file. `put` rejects with `store_failed` for a file
 * that alone is too large, and all calls reject with `closed` after `close`.
 */
export function memoryBlobs({ clock = systemClock, bytes: most = defaultBytes }: MemoryBlobsOptions = {}): Blobs {
  const entries = recentlyUsed<string, Blob & { readonly until: number }>(most, {
    sizeOf: ({ bytes }) => bytes.byteLength + overhead,
  })
  let isClosed = false
  const check = (): void => {
    if (isClosed) throw filesClosed()
  }
  return {
    put: async ({ id = randomUUID(), bytes, type, team, ttl }) => {
      check()
      if (bytes.byteLength + overhead > most) throw blobTooLarge(bytes.byteLength, most)
      entries.set(id, { bytes: bytes.slice(), type, team, until: clock.now() + ttl })
      return { id }
    },
    get: async (id) => {
      check()
      const entry = entries.get(id)
      if (!entry) return undefined
      if (clock.now() < entry.until) return { bytes: entry.bytes.slice(), type: entry.type, team: entry.team }
      entries.delete(id)
      return undefined
    },
    close: async () => {
      isClosed = true
    },
  }
}
