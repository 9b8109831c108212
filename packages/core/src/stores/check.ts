import { randomBytes, randomUUID } from 'node:crypto'

import { EngineError, type Blobs, type Clock, type Queue, type Store, elapsed } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { storeKeys } from '../keys.ts'

const ttl = 60_000
/** Bytes to write, about as many as a page of a job: a nearly full store may still accept a small value. */
const size = 64_000

/**
 * Writes a value as jobs do, reads it back and deletes it. Rejects with `store_failed` if the store does not return it, and
 * with the error of the store if it fails.
 */
export async function checkStore(store: Store): Promise<void> {
  await store.check?.()
  const key = storeKeys.health(randomUUID())
  const bytes = new Uint8Array(randomBytes(size))
  await store.update(key, () => bytes, { ttl, isNew: true })
  const found = await store.get(key)
  await store.delete(key)
  if (!isSame(found, bytes)) throw forgetful('store')
}

/** Milliseconds for which a successful check is reused: some file storages charge for each write. */
const trusted = 15_000

/**
 * Creates a check that writes a file and reads it back. It rejects with `store_failed` if that fails. A success counts for 15
 * seconds, a failure is not cached. Each check overwrites its own file, so concurrent calls share one run: two runs would read
 * each other's bytes.
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
  return new EngineError('store_failed', `The ${what} did not return the value that was written.`, {
    details: { reason: 'forgetful' },
  })
}

/** Rejects with `store_failed` if the queue accepts no tasks. A queue without a check counts as working. */
export async function checkQueue(queue: Pick<Queue, 'check'>): Promise<void> {
  try {
    await queue.check?.()
  } catch (error) {
    throw namedError(error, 'queue')
  }
}

/** Adds the failed component to the reason, because a health probe sees only the reason. */
function namedError(error: unknown, part: string): EngineError {
  const { reason = 'failed' } = EngineError.is(error) ? (error.details ?? {}) : {}
  const message = errorMessage(error)
  return new EngineError('store_failed', message, { cause: error, details: { reason: `${part} ${String(reason)}` } })
}
