import type { Json, Store, Value } from '@harvestman/ports'
import { damagedRecord, isNewerRecord, layout, getMany } from '@harvestman/coordination'
import { formatTime } from './refusals.ts'
import { outcomeOf, type JobStatus } from '../handle.ts'
import type { KeptIndex } from './document-index.ts'
import type { Opening } from './facts.ts'
import type { KeptFailures } from './failure-places.ts'
import { jobKey } from './storage.ts'
import type { Tally } from './tally.ts'

/**
 * Summary of a job that can be read without its log. It is derived from the log and may lag slightly behind it; the next worker
 * of the job rewrites it.
 */
export interface Checkpoint {
  readonly opening: Opening
  readonly tally: Tally
  /** Number of known pages that are not loaded yet. */
  readonly left: number
  /** Number of segments in the log. */
  readonly places: number
  readonly index: KeptIndex
  /** Log positions of the segments with entries for the list of errors. */
  readonly failures: KeptFailures
  /** Writer of the log. Absent until a worker has taken the job. */
  readonly by?: string
  /** Number of checkpoints that this writer has written. */
  readonly saves?: number
}

const checkpointLayout = layout<Checkpoint>(3, {
  opening: 'record',
  tally: 'record',
  places: 'number',
})

/**
 * Reads the checkpoint of a job; `undefined` if there is no such job. Rejects with a damaged-record error if it is damaged, and
 * with `newer_version` if a newer version wrote it.
 */
export async function readCheckpoint(store: Store, id: string): Promise<Checkpoint | undefined> {
  return checkpointIn(await store.get(jobKey(id)))
}

/**
 * Reads the checkpoints of many jobs, in the same order. An item is `undefined` if the job is gone or was written by a newer
 * version. Rejects with a damaged-record error if one is damaged.
 */
export async function readCheckpoints(store: Store, ids: readonly string[]): Promise<(Checkpoint | undefined)[]> {
  const keys = ids.map(jobKey)
  const values = await getMany(store, keys)
  return values.map((value) => {
    try {
      return checkpointIn(value)
    } catch (error) {
      if (isNewerRecord(error)) return undefined
      throw error
    }
  })
}

function checkpointIn(value: Value | undefined): Checkpoint | undefined {
  const checkpoint = checkpointLayout.open('This job', value)
  if (checkpoint && !isComplete(checkpoint)) throw damagedRecord('the record of a job')
  return checkpoint
}

/** Returns whether the fields that every reader relies on are present: a damaged store may return anything. */
function isComplete({ opening, tally, index, failures }: Partial<Checkpoint>): boolean {
  const isNamed = typeof opening?.id === 'string' && typeof opening.team === 'string'
  return isNamed && typeof tally?.status === 'string' && Array.isArray(index?.tail) && Array.isArray(failures?.tail)
}

/** Serializes a checkpoint for the store. */
export function checkpointValue(checkpoint: Checkpoint): Json {
  return checkpointLayout.seal(checkpoint)
}

/** Returns the public status of a job. Throws a damaged-record error if one of its times is invalid. */
export function statusOf({ opening, tally, left }: Pick<Checkpoint, 'opening' | 'tally' | 'left'>): JobStatus {
  const { completed, failed, cancelled, credits, status, endedAt, message } = tally
  const known = completed + failed + cancelled
  return {
    id: opening.id,
    kind: opening.kind,
    status,
    outcome: outcomeOf(tally),
    total: status === 'scraping' ? known + left : known,
    completed,
    failed,
    cancelled,
    creditsUsed: credits,
    createdAt: formatTime(opening.createdAt),
    ...(endedAt !== undefined && { completedAt: formatTime(endedAt) }),
    expiresAt: formatTime(opening.expiresAt),
    ...(message !== undefined && { message }),
    request: opening.request as Json,
  }
}
