import { areHeld, type LeaseWatch } from '@harvestman/coordination'
import type { JobKit } from '../kit.ts'
import { jobKey } from '../log/storage.ts'
import { isGoneFrom, leaseKey } from './job-lease.ts'
import { listOpen, markSettled } from './open-jobs.ts'
import type { Supervisor } from './supervisor.ts'

export interface LookAroundOptions {
  readonly kit: JobKit
  readonly supervisor: Supervisor
  readonly watch: LeaseWatch
  /** Puts a job into the queue. */
  readonly push: (id: string, team: string) => Promise<void>
}

/** A job that was marked and not opened within this time never will be. */
const openWithin = 60_000

/** Puts jobs that have no worker into the queue. Many engines look, and few of the jobs are left behind. */
export async function lookAround({ kit, supervisor, watch, push }: LookAroundOptions): Promise<void> {
  const { store, clock } = kit
  const open = (await listOpen(store)).filter(({ id }) => !supervisor.has(id))
  const keys = open.map(({ id }) => leaseKey(id))
  const held = await areHeld(store, keys, { watch, isGone: isGoneFrom(store) })
  for (const [index, { id, team, createdAt }] of open.entries()) {
    if (held[index] === true) continue
    // One that a newer engine has written is there as well.
    const isThere = createdAt + openWithin > clock.now() || (await store.get(jobKey(id))) !== undefined
    if (isThere) await push(id, team)
    else await markSettled(store, id)
  }
}
