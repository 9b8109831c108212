import { randomBytes, randomUUID } from 'node:crypto'

import { EngineError, type Blobs, type Clock, type Queue, type Store } from '@harvestman/ports'
import { elapsed, errorMessage } from '@harvestman/ports/adapters'
import { storeKeys } from '../keys.ts'

const ttl = 60_000
/** A page of a job has about so many bytes: a store that is nearly full still takes a word. */
const size = 64_000

/**
 * Writes a value as jobs do, reads it back and removes it. Rejects with `store_failed` when the store cannot keep things.
 */
export async function checkStore(store: Store): Promise<void> {
  await store.check?.()
  const key = storeKeys.health(randomUUID())
  const bytes = new Uint8Array(randomBytes(size))
  await store.update(key, () => bytes, { ttl, isNew: true })
  const kept = await store.get(key)
  await store.delete(key)
  if (!isSame(kept, bytes)) throw forgetful('store')
}

/** Milliseconds that a place for files is trusted once it has kept one: some places take money for each. */
const trusted = 15_000

/**
 * Makes the same check of a place for files. It has one file there, which it writes anew each time, so checks at the same time share
 * one run: two runs would each read the bytes of the other.
 */
export function makeFileCheck(blobs: Blobs, clock: Clock): () => Promise<void> {
  const id = randomUUID()
  let checkAgainAt = -Infinity
  let running: Promise<void> | undefined
  const check = async (): Promise<void> => {
    const bytes = new Uint8Array(randomBytes(size))
    try {
      await blobs.put({ id, bytes, type: 'application/octet-stream', team: '', ttl })
      if (!isSame((await blobs.get(id))?.bytes, bytes)) throw forgetful('place for files')
    } catch (error) {
      throw namedError(error, 'files')
    }
    checkAgainAt = elapsed(clock) + trusted
  }
  return async () => {
    if (elapsed(clock) < checkAgainAt) return
    running ??= check().finally(() => (running = undefined))
    await running
  }
}

function isSame(kept: unknown, bytes: Uint8Array): boolean {
  return kept instanceof Uint8Array && Buffer.from(bytes).equals(kept)
}

function forgetful(what: string): EngineError {
  return new EngineError('store_failed', `The ${what} did not give back what it had taken.`, {
    details: { reason: 'forgetful' },
  })
}

/** Rejects with `store_failed` when the queue takes no tasks. */
export async function checkQueue(queue: Pick<Queue, 'check'>): Promise<void> {
  try {
    await queue.check?.()
  } catch (error) {
    throw namedError(error, 'queue')
  }
}

/** Adds what failed to the reason, which is all that a probe receives. */
function namedError(error: unknown, part: string): EngineError {
  const { reason = 'failed' } = EngineError.is(error) ? (error.details ?? {}) : {}
  const message = errorMessage(error)
  return new EngineError('store_failed', message, { cause: error, details: { reason: `${part} ${String(reason)}` } })
}
