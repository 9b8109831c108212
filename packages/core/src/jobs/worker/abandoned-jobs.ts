import { areHeld, type LeaseWatch } from '@harvestman/coordination'
import { isInternal } from '../log/internal.ts'
import type { JobKit } from '../kit.ts'
import { jobKey } from '../log/storage.ts'
import { isDeadIn, leaseKey } from './job-lease.ts'
import type { OpenJob, PushJob } from './open-job.ts'
import { listOpen, markSettled } from './open-jobs.ts'
import type { Supervisor } from './supervisor.ts'

export interface AbandonedJobsOptions {
  readonly kit: JobKit
  readonly supervisor: Supervisor
  readonly watch: LeaseWatch
  /** Adds a job to the queue. */
  readonly push: PushJob
}

/** Milliseconds after which a job that was marked as open but never written is dropped. */
const openWithin = 60_000

/**
 * Queues open jobs that no worker holds. All engines do this, and few jobs are abandoned. Records of jobs that were never
 * created are removed. Rejects if the store fails.
 */
export async function queueAbandonedJobs({ kit, supervisor, watch, push }: AbandonedJobsOptions): Promise<void> {
  const { store, clock } = kit
  const isOurs = ({ id, kind }: OpenJob): boolean =>
    !supervisor.has(id) && (!isInternal(kind) || kit.kinds.some(({ name }) => name === kind))
  const open = (await listOpen(store)).filter(isOurs)
  const keys = open.map(({ id }) => leaseKey(id))
  const held = await areHeld(store, keys, { watch, isDead: isDeadIn(store) })
  for (const [index, job] of open.entries()) {
    const { id, createdAt } = job
    if (held[index] === true) continue
    // True also for jobs written by a newer engine version.
    const isThere = createdAt + openWithin > clock.now() || (await store.get(jobKey(id))) !== undefined
    if (isThere) await push(job)
    else await markSettled(store, id)
  }
}
