import { watchKey } from '@harvestman/coordination'
import type { JobKit } from './kit.ts'
import { readCheckpoint } from './log/checkpoint.ts'
import { documentIndex } from './log/document-index.ts'
import { keptFailures } from './log/failure-places.ts'
import { openJobStorage } from './log/storage.ts'
import { jobNotFound, type JobView } from './log/view.ts'
import type { JobRun } from './run/run.ts'
import { reopenStrandedJob } from './worker/stranded.ts'
import type { Worker } from './worker/worker.ts'

/** Polling interval in milliseconds for a job that runs elsewhere, if the store does not send notifications. */
const pollInterval = 500

/** Returns the view of a job that runs in this engine. */
export function viewHere({ opening, storage, state, left, changed }: JobRun, { store }: JobKit): JobView {
  const { tally, places, ends } = state
  const index = documentIndex(store, storage.name, ends)
  const failures = (): AsyncIterable<readonly number[]> => {
    const { lasts, tail } = state.failures.copy()
    return keptFailures(store, storage.name, { blocks: lasts.length, tail })
  }
  return { opening, storage, tally, left, places, failures, index, changed }
}

/**
 * Returns the view of a job that does not run in this engine, from its checkpoint. It may start here at any time. Rejects with
 * `not_found` if there is no such job.
 */
export async function viewElsewhere(
  id: string,
  { began, damageOf, push }: Pick<Worker, 'began' | 'damageOf' | 'push'>,
  kit: JobKit,
): Promise<JobView> {
  const { store } = kit
  const checkpoint = await readCheckpoint(store, id)
  if (!checkpoint) throw jobNotFound(id)
  if (checkpoint.tally.status === 'scraping' && (await reopenStrandedJob(checkpoint.opening, push, kit))) {
    return viewElsewhere(id, { began, damageOf, push }, kit)
  }
  const storage = openJobStorage(store, checkpoint.opening, { ...kit, history: checkpoint.by })
  const changed = async (signal: AbortSignal): Promise<void> => {
    // Each wait cleans up after itself: a job may be watched for hours.
    const stop = new AbortController()
    const begun = began(AbortSignal.any([signal, stop.signal]))
    begun.catch(() => undefined)
    const written = Promise.withResolvers<void>()
    // Keeps the process alive: a caller awaits this.
    const alive = setInterval(() => undefined, pollInterval)
    const unwatch = await watchKey(store, storage.name, written.resolve, { every: pollInterval })
    try {
      // It may have changed before the watch started.
      if ((await readCheckpoint(store, id))?.places === checkpoint.places) await Promise.race([begun, written.promise])
      signal.throwIfAborted()
    } finally {
      stop.abort()
      await unwatch()
      clearInterval(alive)
    }
  }
  const { blocks: lasts, tail } = checkpoint.index
  const index = documentIndex(store, storage.name, { lasts, tail })
  const failures = (): AsyncIterable<readonly number[]> => keptFailures(store, storage.name, checkpoint.failures)
  return { ...checkpoint, storage, index, failures, damage: damageOf(id), changed }
}
