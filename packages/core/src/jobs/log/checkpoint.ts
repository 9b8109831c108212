import type { Json, Store, Value } from '@harvestman/ports'
import { damagedRecord, isNewerRecord, layout, getMany } from '@harvestman/coordination'
import { timeOf } from './refusals.ts'
import type { JobStatus } from '../handle.ts'
import { indexBlocks, type KeptIndex } from './document-index.ts'
import type { Opening } from './facts.ts'
import { failureBlocks, type KeptFailures } from './failure-places.ts'
import type { JobState } from './state.ts'

import { jobKey, type JobStorage } from './storage.ts'
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
}

const checkpointLayout = layout<Checkpoint | SecondCheckpoint | FirstCheckpoint>(3, {
  opening: 'record',
  tally: 'record',
  places: 'number',
})

/** Layout 2. */
interface SecondCheckpoint extends Omit<Checkpoint, 'failures'> {
  readonly failures: readonly number[]
}

/** Layout 1. */
interface FirstCheckpoint extends Omit<SecondCheckpoint, 'tally' | 'index'> {
  readonly tally: Omit<Tally, 'commands'> & { readonly letters: number }
  readonly contents: KeptIndex
}

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
  const kept = checkpointLayout.open('This job', value)
  if (kept === undefined) return undefined
  const checkpoint = fromSecond('contents' in kept ? fromFirst(kept) : kept)
  if (!isWhole(checkpoint)) throw damagedRecord('the record of a job')
  return checkpoint
}

/** True when it has what all readers go by: a store that is damaged may give anything. */
function isWhole({ opening, tally, index, failures }: Partial<Checkpoint>): boolean {
  const isNamed = typeof opening?.id === 'string' && typeof opening.team === 'string'
  return isNamed && typeof tally?.status === 'string' && Array.isArray(index?.tail) && Array.isArray(failures?.tail)
}

function fromFirst({ tally: { letters, ...tally }, contents: index, ...rest }: FirstCheckpoint): SecondCheckpoint {
  return { ...rest, tally: { ...tally, commands: letters }, index }
}

function fromSecond({ failures, ...rest }: Checkpoint | SecondCheckpoint): Checkpoint {
  return { ...rest, failures: isList(failures) ? { blocks: 0, tail: failures } : failures }
}

function isList(failures: KeptFailures | readonly number[]): failures is readonly number[] {
  return Array.isArray(failures)
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

export interface Checkpointer {
  /** Writes a checkpoint soon, of how things are then. */
  save(): void
  /** Writes one more, and waits for that. */
  close(): Promise<void>
}

/** Milliseconds between one checkpoint and the next: a job that brings pages all the time writes no more of them. */
const restAfter = 100

/** Keeps the checkpoint of a running job up to date. It is not waited for: all of it can be told from the log again. */
export function makeCheckpointer(
  { opening, storage }: { readonly opening: Opening; readonly storage: JobStorage },
  state: JobState,
  left: () => number,
  store: Store,
): Checkpointer {
  const { name, keep } = storage
  let isStale = false
  let working: Promise<void> | undefined
  let isClosing = false
  let restOver = (): void => undefined
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, restAfter)
      restOver = () => (clearTimeout(timer), resolve())
    })
  const work = async (): Promise<void> => {
    while (isStale) {
      isStale = false
      await state.ends.write({ store, name: indexBlocks(name), keep })
      await state.failures.write({ store, name: failureBlocks(name), keep })
      const { tally, places, ends, failures } = state.copy()
      const index = { blocks: ends.lasts, tail: ends.tail }
      const lists = { index, failures: { blocks: failures.lasts.length, tail: failures.tail } }
      await store.set(name, checkpointValue({ opening, tally, left: left(), places, ...lists }), keep())
      if (!isClosing) await rest()
    }
  }
  const save = (): Promise<void> => {
    isStale = true
    working ??= work()
      .catch(() => undefined)
      .finally(() => {
        working = undefined
      })
    return working
  }
  const close = (): Promise<void> => {
    isClosing = true
    const last = save()
    restOver()
    return last
  }
  return { save: () => void save(), close }
}
