import type { Json, Store, Value } from '@harvestman/ports'
import { damagedRecord, isNewerRecord, layout, getMany } from '@harvestman/coordination'
import { timeOf } from './refusals.ts'
import { outcomeOf, type JobStatus } from '../handle.ts'
import type { KeptIndex } from './document-index.ts'
import type { Opening } from './facts.ts'
import type { KeptFailures } from './failure-places.ts'
import { jobKey } from './storage.ts'
import type { Tally } from './tally.ts'

/**
 * State of a job that can be read without its log. It follows from the log, and may be behind it by a moment; the next
 * worker of the job writes it anew.
 */
export interface Checkpoint {
  readonly opening: Opening
  readonly tally: Tally
  /** Pages that are known and not loaded yet. */
  readonly left: number
  /** Segments of the log. */
  readonly places: number
  readonly index: KeptIndex
  /** Places that hold something for the list of errors. */
  readonly failures: KeptFailures
  /** The writer of the log; absent until the first worker has the job. */
  readonly by?: string
  /** Number of checkpoints that this writer has written. */
  readonly saves?: number
}

const checkpointLayout = layout<Checkpoint>(3, {
  opening: 'record',
  tally: 'record',
  places: 'number',
})

export async function readCheckpoint(store: Store, id: string): Promise<Checkpoint | undefined> {
  return checkpointIn(await store.get(jobKey(id)))
}

/** Reads the checkpoints of many jobs, in their order; undefined for those gone or written by a newer version. */
export async function readCheckpoints(store: Store, ids: readonly string[]): Promise<(Checkpoint | undefined)[]> {
  const keys = ids.map(jobKey)
  const kept = await getMany(store, keys)
  return kept.map((value) => {
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
  if (checkpoint && !isWhole(checkpoint)) throw damagedRecord('the record of a job')
  return checkpoint
}

/** True when it has what all readers go by: a store that is damaged may give anything. */
function isWhole({ opening, tally, index, failures }: Partial<Checkpoint>): boolean {
  const isNamed = typeof opening?.id === 'string' && typeof opening.team === 'string'
  return isNamed && typeof tally?.status === 'string' && Array.isArray(index?.tail) && Array.isArray(failures?.tail)
}

/** Makes the value of a checkpoint for the store. */
export function checkpointValue(checkpoint: Checkpoint): Json {
  return checkpointLayout.seal(checkpoint)
}

/** Makes the public status of a job. */
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
    createdAt: timeOf(opening.createdAt),
    ...(endedAt !== undefined && { completedAt: timeOf(endedAt) }),
    expiresAt: timeOf(opening.expiresAt),
    ...(message !== undefined && { message }),
    request: opening.request as Json,
  }
}
