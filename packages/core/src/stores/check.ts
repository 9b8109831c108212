import { randomUUID } from 'node:crypto'

import { EngineError, type Store } from '@harvestman/ports'
import { storeKeys } from '../keys.ts'

const ttl = 60_000

/** Writes a value, reads it back and removes it. Rejects with `store_failed` when the store cannot keep things. */
export async function checkStore(store: Store): Promise<void> {
  await store.check?.()
  const key = storeKeys.health(randomUUID())
  await store.set(key, key, { ttl })
  const kept = await store.get(key)
  await store.delete(key)
  if (kept !== key) {
    throw new EngineError('store_failed', 'The store did not give back what it had taken.', {
      details: { reason: 'forgetful' },
    })
  }
}
