import type { Store } from '@harvestman/ports'
import { listAll } from '@harvestman/coordination'
import { type OpenJob, openJobIn, sealOpenJob } from './open-job.ts'
import { storeKeys } from '../../keys.ts'

/** Must be called before a job is opened: a worker that looks for lost jobs finds it then, whatever happens in between. */
export async function markOpen(store: Store, job: OpenJob): Promise<void> {
  await store.set(storeKeys.openJob(job.id), sealOpenJob(job))
}

/** Nothing is left to do for the job. */
export async function markSettled(store: Store, id: string): Promise<void> {
  await store.delete(storeKeys.openJob(id))
}

/** The jobs that are not over. */
export async function listOpen(store: Store): Promise<readonly OpenJob[]> {
  const open: OpenJob[] = []
  for await (const entries of listAll(store, storeKeys.openJob.begins))
    open.push(...entries.flatMap(({ value }) => openJobIn(value) ?? []))
  return open
}
