import type { Json, Value } from '@harvestman/ports'
import { isNewerRecord, layout } from '@harvestman/coordination'

/** A job that a worker has to see to. */
export interface OpenJob {
  readonly id: string
  readonly team: string
  readonly kind: string
  readonly createdAt: number
}

const jobLayout = layout<OpenJob>(1, { id: 'text', team: 'text', kind: 'text' })

/** Seals an open job as the record that is kept of it. */
export function sealOpenJob({ id, team, kind, createdAt }: OpenJob): Json {
  return jobLayout.seal({ id, team, kind, createdAt })
}

/** The job that was kept; none where a newer engine has written it, which is for a newer engine to see to. */
export function openJobIn(kept: Value | undefined): OpenJob | undefined {
  try {
    return jobLayout.openWhole('An open job', kept)
  } catch (error) {
    if (isNewerRecord(error)) return undefined
    throw error
  }
}
