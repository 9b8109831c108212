import { hash } from 'node:crypto'

import type { Blobs, Clock } from '@harvestman/ports'
import { elapsed, joinInTurns, uuidv8 } from '@harvestman/ports/adapters'

/** Keeps the large parts of records beside the store. */
export interface Bodies {
  /** Keeps the body of the record under this key, and gives the id of its file; nothing where it is to stay in the store. */
  put(key: string, pieces: readonly Uint8Array[], options: KeepBody): Promise<string | undefined>
  /** The body; nothing when the file is gone. */
  get(id: string): Promise<Uint8Array | undefined>
}

/** Retention of a body. */
export interface KeepBody {
  /** Milliseconds; a body that is kept for ever stays in the store. */
  readonly ttl?: number
  /** It may be removed before its time. */
  readonly isSpare?: boolean
}

/** Options of `bodiesInFiles`. */
export interface FileBodiesOptions {
  readonly blobs: Blobs
  /** Bodies of so many bytes and more are kept in files: one at least. */
  readonly from: number
  readonly clock: Clock
  /** Is told when files took no body. */
  readonly refused: (error: unknown) => void
}

/** All bodies stay in the store. */
export const bodiesInStore: Bodies = {
  put: async () => undefined,
  get: async () => undefined,
}

/** Milliseconds until files that took no body are asked again: each question may wait for its deadline. */
const restsFor = 15_000
/** Milliseconds that a file outlives its record: clocks of machines differ. */
const outlives = 60_000

/** Keeps bodies in files. What they do not take stays in the store, so no job waits for them. */
export function bodiesInFiles({ blobs, from, clock, refused }: FileBodiesOptions): Bodies {
  let restsUntil = -Infinity
  return {
    put: async (key, pieces, { ttl, isSpare = false }) => {
      const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
      if (size < from || ttl === undefined || elapsed(clock) < restsUntil) return undefined
      const [only] = pieces
      const bytes = only && pieces.length === 1 ? only : await joinInTurns(pieces)
      // The same each time that the same is kept: a writer whose answer was lost recognizes its record.
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
