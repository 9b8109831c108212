import { hash } from 'node:crypto'

import { type Blobs, type Clock, elapsed } from '@harvestman/ports'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { uuidv8 } from '@harvestman/toolbox/uuid'

/** Stores the large parts of records outside of the store. */
export interface Bodies {
  /** Stores the body of the record under this key. Returns the id of its file, or `undefined` if it must stay in the store. */
  put(key: string, pieces: readonly Uint8Array[], options: KeepBody): Promise<string | undefined>
  /** Returns the body, or `undefined` if the file does not exist any more. */
  get(id: string): Promise<Uint8Array | undefined>
}

/** Retention of a body. */
export interface KeepBody {
  /** Milliseconds; a body without a ttl stays in the store. */
  readonly ttl?: number
  /** It may be removed early. */
  readonly isSpare?: boolean
}

/** Options of `bodiesInFiles`. */
export interface FileBodiesOptions {
  readonly blobs: Blobs
  /** Minimum size in bytes of bodies that are stored in files. At least 1. */
  readonly from: number
  readonly clock: Clock
  /** Called with the error if a body could not be stored in a file. */
  readonly refused: (error: unknown) => void
}

/** All bodies stay in the store. */
export const bodiesInStore: Bodies = {
  put: async () => undefined,
  get: async () => undefined,
}

/** Milliseconds until file storage is tried again after a failure: each attempt may take until its timeout. */
const restsFor = 15_000
/** Milliseconds that a file outlives its record, because the clocks of hosts differ. */
const outlives = 60_000

/**
 * Creates a storage of bodies in files. If that fails, a body stays in the store, so that no job is blocked. `put` returns the
 * id of the file, or `undefined` if the body must be stored otherwise: it is smaller than `from` bytes, has no ttl, or a write
 * failed in the last 15 seconds. `get` returns `undefined` for a missing file, and rejects if the file storage fails.
 */
export function bodiesInFiles({ blobs, from, clock, refused }: FileBodiesOptions): Bodies {
  let restsUntil = -Infinity
  return {
    put: async (key, pieces, { ttl, isSpare = false }) => {
      const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
      if (size < from || ttl === undefined || elapsed(clock) < restsUntil) return undefined
      const [only] = pieces
      const bytes = only && pieces.length === 1 ? only : await joinInTurns(pieces)
      // Deterministic, so that a writer whose response was lost recognizes its own record.
      const id = uuidv8(`${key} ${hash('sha256', bytes, 'hex')}`)
      try {
        await blobs.put({
          id,
          bytes,
          type: 'application/octet-stream',
          team: '',
          ttl: ttl + outlives,
          isLasting: !isSpare,
        })
        return id
      } catch (error) {
        restsUntil = elapsed(clock) + restsFor
        refused(error)
        return undefined
      }
    },
    get: async (id) => (await blobs.get(id))?.bytes,
  }
}
