import { parseKept } from '@harvestman/ports/adapters'
import { randomUUID } from 'node:crypto'

import type { Blobs, Store } from '@harvestman/ports'
import { filesClosed } from '@harvestman/embedded'
import { storeKeys } from '../keys.ts'

const keyOf = storeKeys.file

/** Keeps files in a store, as one value of bytes each: their type and team first, as a line of JSON. */
export function blobsInStore(store: Store): Blobs {
  let isClosed = false
  return {
    put: async ({ id = randomUUID(), bytes, type, team, ttl }) => {
      if (isClosed) throw filesClosed()
      await store.set(keyOf(id), Buffer.concat([Buffer.from(`${JSON.stringify({ type, team })}\n`), bytes]), {
        ttl,
        isSpare: true,
      })
      return { id }
    },
    get: async (id) => {
      if (isClosed) throw filesClosed()
      const value = await store.get(keyOf(id))
      if (!(value instanceof Uint8Array)) return undefined
      const end = value.indexOf(newline)
      const head = parseKept(new TextDecoder().decode(value.subarray(0, end))) as { type: string; team: string }
      return { bytes: value.subarray(end + 1), type: head.type, team: head.team }
    },
    // The store belongs to the caller.
    close: async () => {
      isClosed = true
    },
  }
}

// JSON writes no line break but as \n, so the first one ends the head.
const newline = 10
