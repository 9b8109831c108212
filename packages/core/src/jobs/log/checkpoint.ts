import type { Clock } from '../../ports/clock.ts'
import type { KeepOptions, Store } from '../../ports/store.ts'
import type { Json } from '../../ports/value.ts'
import { openLog, type Log } from '../../records/log.ts'
import type { KeptIndex } from './document-index.ts'
import type { Opening } from './facts.ts'
import type { JobStatus } from '../handle.ts'
import type { Tally } from './tally.ts'

/**
 * What can be said of a job without reading its log. It follows from the log, and may be behind it by a moment; whoever
 * takes the job up writes it anew.
 */
export interface Checkpoint {
  readonly opening: Opening
  readonly tally: Tally
  /** Pages that are known and not loaded yet. */
  readonly left: number
  /** Segments of the log. */
  readonly places: number
  readonly contents: KeptIndex
  /** Places that hold something for the list of errors. */
  readonly failures: readonly number[]
}

/** The keys of a job. All of them are gone when the job expires. */
export interface JobStorage {
  readonly name: string
  readonly log: Log
  /** What is left of the life of the job. */
  readonly keep: () => KeepOptions
}

export function openJobStorage(
  store: Store,
  { id, expiresAt }: Pick<Opening, 'id' | 'expiresAt'>,
  clock: Clock,
): JobStorage {
  const name = jobKey(id)
  // A ttl of nothing would keep for ever what should be gone.
  const keep = (): KeepOptions => ({ ttl: Math.max(expiresAt - clock.now(), 1) })
  return { name, log: openLog(store, name, keep), keep }
}

export function jobKey(id: string): string {
  return `job/${id}`
}

export async function readCheckpoint(store: Store, id: string): Promise<Checkpoint | undefined> {
  return (await store.get(jobKey(id))) as unknown as Checkpoint | undefined
}

export function writeCheckpoint(store: Store, storage: JobStorage, record: Checkpoint): Promise<void> {
  return store.set(storage.name, record as unknown as Json, storage.keep())
}

/** What is said of a job to the outside. */
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
    createdAt: new Date(opening.createdAt).toISOString(),
    ...(endedAt !== undefined && { completedAt: new Date(endedAt).toISOString() }),
    expiresAt: new Date(opening.expiresAt).toISOString(),
    ...(message !== undefined && { message }),
    request: opening.request,
  }
}

export interface Checkpointer {
  /** Writes it soon; what is written is how things are then. */
  save(): void
  /** Writes it once more, and waits for that. */
  close(): Promise<void>
}

/** Keeps the record of a running job up to date, without being waited for: all of it can be told from the log again. */
export function makeCheckpointer(store: Store, storage: JobStorage, make: () => Promise<Checkpoint>): Checkpointer {
  let isStale = false
  let working: Promise<void> | undefined
  const work = async (): Promise<void> => {
    while (isStale) {
      isStale = false
      await writeCheckpoint(store, storage, await make())
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
  return { save: () => void save(), close: save }
}
