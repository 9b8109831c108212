import { parseStored } from '@harvestman/ports/stores'
import { randomUUID } from 'node:crypto'

import type { Blobs, Store } from '@harvestman/ports'
import { filesClosed } from '@harvestman/embedded'
import { storeKeys } from '../keys.ts'

const keyOf = storeKeys.file

/**
 * Creates a storage of files in a store, one value per file: a line of JSON with type and team, then the bytes. An unknown id
 * gives `undefined`. After `close`, which does not close the store, both methods reject with `closed`.
 */
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
      const head = parseStored(new TextDecoder().decode(value.subarray(0, end))) as { type: string; team: string }
      return { bytes: value.subarray(end + 1), type: head.type, team: head.team }
    },
    // The caller closes the store.
    close: async () => {
      isClosed = true
    },
  }
}

// JSON contains no raw line breaks, so the first one ends the header.
const newline = 10
