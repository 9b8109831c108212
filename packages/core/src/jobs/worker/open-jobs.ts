import type { Store } from '@harvestman/ports'
import { listAll } from '@harvestman/coordination'
import { type OpenJob, openJobIn, sealOpenJob } from './open-job.ts'
import { storeKeys } from '../../keys.ts'

/**
 * Adds a job to the open jobs. Must be called before the job is opened, so that a worker can find it if opening is
 * interrupted. Rejects if the store fails.
 */
export async function markOpen(store: Store, job: OpenJob): Promise<void> {
  await store.set(storeKeys.openJob(job.id), sealOpenJob(job))
}

/** Removes a finished job from the open jobs. No effect if it is not there. Rejects if the store fails. */
export async function markSettled(store: Store, id: string): Promise<void> {
  await store.delete(storeKeys.openJob(id))
}

/**
 * Lists the unfinished jobs of all teams. Damaged records and those of newer engine versions are skipped. Rejects if the store
 * fails.
 */
export async function listOpen(store: Store): Promise<readonly OpenJob[]> {
  const open: OpenJob[] = []
  for await (const entries of listAll(store, storeKeys.openJob.begins))
    open.push(...entries.flatMap(({ value }) => openJobIn(value) ?? []))
  return open
}
