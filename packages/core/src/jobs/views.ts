import { watchKey } from '@harvestman/coordination'
import type { JobKit } from './kit.ts'
import { readCheckpoint } from './log/checkpoint.ts'
import { documentIndex } from './log/document-index.ts'
import { keptFailures } from './log/failure-places.ts'
import { openJobStorage } from './log/storage.ts'
import { notFound, type JobView } from './log/view.ts'
import type { JobRun } from './run/run.ts'
import { openStranded } from './worker/stranded.ts'
import type { Worker } from './worker/worker.ts'

/** Milliseconds between two looks at a job that runs elsewhere, where the store does not tell of it. */
const lookEvery = 500

/** A job that runs in this engine. */
export function viewHere({ opening, storage, state, left, changed }: JobRun, { store }: JobKit): JobView {
  const { tally, places, ends } = state
  const index = documentIndex(store, storage.name, ends)
  const failures = (): AsyncIterable<readonly number[]> => {
    const { lasts, tail } = state.failures.copy()
    return keptFailures(store, storage.name, { blocks: lasts.length, tail })
  }
  return { opening, storage, tally, left, places, failures, index, changed }
}

/** A job that does not run here, as its checkpoint tells; it may begin to run here at any moment. */
export async function viewElsewhere(
  id: string,
  { began, damageOf, push }: Pick<Worker, 'began' | 'damageOf' | 'push'>,
  kit: JobKit,
): Promise<JobView> {
  const { store } = kit
  const checkpoint = await readCheckpoint(store, id)
  if (!checkpoint) throw notFound()
  if (checkpoint.tally.status === 'scraping' && (await openStranded(checkpoint.opening, push, kit))) {
    return viewElsewhere(id, { began, damageOf, push }, kit)
  }
  const storage = openJobStorage(store, checkpoint.opening, { ...kit, history: checkpoint.by })
  const changed = async (signal: AbortSignal): Promise<void> => {
    // A wait leaves nothing behind: a job may be watched for hours.
    const stop = new AbortController()
    const begun = began(AbortSignal.any([signal, stop.signal]))
    begun.catch(() => undefined)
    const written = Promise.withResolvers<void>()
    // A caller waits for this: a process with nothing else to do must not end meanwhile.
    const alive = setInterval(() => undefined, lookEvery)
    const unwatch = await watchKey(store, storage.name, written.resolve, { every: lookEvery })
    try {
      // It may have been written before it was watched.
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
