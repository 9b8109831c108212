import type { Json, Value } from '@harvestman/ports'
import { isNewerRecord, layout } from '@harvestman/coordination'

/** A job that some worker must finish. */
export interface OpenJob {
  readonly id: string
  readonly team: string
  readonly kind: string
  readonly createdAt: number
}

/** Adds a job to the queue. */
export type PushJob = (job: Pick<OpenJob, 'id' | 'team' | 'kind'>) => Promise<void>

const jobLayout = layout<OpenJob>(1, { id: 'text', team: 'text', kind: 'text' })

/** Serializes the record of an open job. */
export function sealOpenJob({ id, team, kind, createdAt }: OpenJob): Json {
  return jobLayout.seal({ id, team, kind, createdAt })
}

/**
 * Parses the record of an open job. Returns `undefined` if it is missing or damaged, or if a newer engine version wrote it,
 * which must run the job.
 */
export function openJobIn(kept: Value | undefined): OpenJob | undefined {
  try {
    return jobLayout.openWhole('An open job', kept)
  } catch (error) {
    if (isNewerRecord(error)) return undefined
    throw error
  }
}
