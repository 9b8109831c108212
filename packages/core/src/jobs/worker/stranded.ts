import { areStored } from '@harvestman/coordination'
import { storeKeys } from '../../keys.ts'
import type { JobKit } from '../kit.ts'
import { checkpointValue, readCheckpoint } from '../log/checkpoint.ts'
import type { Opening } from '../log/facts.ts'
import { jobKey, openJobStorage } from '../log/storage.ts'
import type { PushJob } from './open-job.ts'
import { markOpen } from './open-jobs.ts'

/**
 * Marks an unfinished job as open again if it is missing from the open jobs, where no worker would find it; a store put back
 * to an earlier state can cause that. A job whose log is lost is ended with the reason. Resolves to whether it was ended.
 * Rejects if the store fails.
 */
export async function reopenStrandedJob({ id }: Opening, push: PushJob, kit: JobKit): Promise<boolean> {
  const { store, clock, vault } = kit
  const [isOpen] = await areStored(store, [storeKeys.openJob(id)])
  if (isOpen !== false) return false
  // It may have ended in the meantime.
  const now = await readCheckpoint(store, id)
  if (now?.tally.status !== 'scraping') return false
  kit.stranded(now.opening)
  if (await openJobStorage(store, now.opening, { clock, vault }).log.read(0)) {
    kit.warn(`The job ${id} had not ended, but was not listed as open. It continues.`, undefined, now.opening)
    await markOpen(store, now.opening)
    await push(now.opening)
    return false
  }
  kit.warn(
    `The store has lost the start of the job ${id}, which had not ended. It is marked as failed.`,
    undefined,
    now.opening,
  )
  await endLost(id, kit)
  return true
}

async function endLost(id: string, { store, clock }: JobKit): Promise<void> {
  const message = 'The store was reset to an earlier state, and has lost the start of this job. Start it again.'
  const now = await readCheckpoint(store, id)
  if (now?.tally.status !== 'scraping') return
  const tally = { ...now.tally, status: 'failed', cancelled: now.left, endedAt: clock.now(), message } as const
  const ended = checkpointValue({ ...now, left: 0, tally })
  await store.update(jobKey(id), (old) => (old === undefined ? old : ended))
}
