// A thread is a sequence of jobs of one kind, called turns. Each turn continues the previous one, and at most one is running.
import { randomUUID } from 'node:crypto'

import { layout } from '@harvestman/coordination'
import { EngineError, type Clock, type Store } from '@harvestman/ports'
import { uuidv8 } from '@harvestman/toolbox/uuid'

import { storeKeys } from '../keys.ts'

/** A turn of a thread. `job` is null until the job was created. */
export interface StoredTurn {
  /** Identifies the request that began it: the idempotency key or a random UUID. */
  readonly claim: string
  readonly job: string | null
  readonly at: number
}

/** A stored thread. */
export interface ThreadRecord {
  readonly id: string
  readonly team: string
  readonly kind: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly turns: readonly StoredTurn[]
}

/** A request that begins a turn. */
export interface NewTurn {
  readonly kind: string
  readonly team: string
  /** The thread to continue; a new one if absent. */
  readonly thread: string | undefined
  /** Repeated requests with the same key return the same turn. */
  readonly idempotencyKey: string | undefined
  /** Returns whether a job is running. */
  readonly isRunning: (job: string) => Promise<boolean>
}

/** A turn that was begun. Call `started` or `failed` once it is known whether its job was created. */
export interface BegunTurn {
  readonly thread: string
  /** Number of the turn, from 1. */
  readonly turn: number
  readonly earlier: readonly StoredTurn[]
  started(job: string): Promise<void>
  failed(): Promise<void>
}

/** Threads of an engine. */
export interface Threads {
  /** Rejects with `not_found`, also for the thread of another team. */
  find(id: string, of: Pick<ThreadRecord, 'kind' | 'team'>): Promise<ThreadRecord>
  /** Begins a turn. Rejects with `not_found`, or with `conflict` while another turn is running. */
  begin(turn: NewTurn): Promise<BegunTurn>
}

const records = layout<ThreadRecord>(1, { id: 'text', team: 'text', kind: 'text', turns: 'list' })
const what = 'A thread'
/** Milliseconds after which a turn without a job counts as abandoned by a process that has crashed. */
const startTime = 60_000

interface ThreadRecords {
  read(team: string, id: string): Promise<ThreadRecord | undefined>
  /** Updates a thread atomically and resolves to the stored thread. Writes nothing if `change` returns `undefined`. */
  update(
    thread: Pick<ThreadRecord, 'team' | 'id'>,
    change: (old: ThreadRecord | undefined) => ThreadRecord | undefined,
  ): Promise<ThreadRecord | undefined>
}

function threadRecords(store: Store, life: number): ThreadRecords {
  const keyOf = (team: string, id: string): string => storeKeys.thread(`${encodeURIComponent(team)}/${id}`)
  return {
    read: async (team, id) => records.open(what, await store.get(keyOf(team, id))),
    update: async ({ team, id }, change) => {
      const stored = await store.update(
        keyOf(team, id),
        (old) => {
          const changed = change(records.open(what, old))
          return changed ? records.seal(changed) : old
        },
        { ttl: life },
      )
      return records.open(what, stored)
    },
  }
}

/**
 * Opens the threads in a store. A thread lives as long as its last job: `life` milliseconds after its last change. `find` and
 * `begin` reject with `not_found` for an unknown thread, and `begin` with `conflict` while another turn is running.
 */
export function openThreads({ store, clock, life }: { store: Store; clock: Clock; life: number }): Threads {
  const { read, update } = threadRecords(store, life)
  const find: Threads['find'] = async (id, { kind, team }) => {
    const record = await read(team, id)
    if (record?.kind === kind) return record
    throw new EngineError('not_found', 'This thread does not exist, or it has expired. Omit it to start a new one.', {
      details: { publicCode: 'thread_not_found' },
    })
  }

  const begin: Threads['begin'] = async ({ kind, team, thread, idempotencyKey, isRunning }) => {
    const claim = idempotencyKey ?? randomUUID()
    const id = thread ?? (idempotencyKey === undefined ? randomUUID() : uuidv8(JSON.stringify([team, kind, claim])))
    const before = thread === undefined ? await read(team, id) : await find(thread, { kind, team })
    const place = before?.turns.findIndex((one) => one.claim === claim) ?? -1
    const setJob = (job: string): Promise<unknown> =>
      update(
        { team, id },
        (old) => old && { ...old, turns: old.turns.map((one) => (one.claim === claim ? { ...one, job } : one)) },
      )
    const started = async (job: string): Promise<void> => void (await setJob(job))
    if (before && place >= 0)
      return {
        thread: id,
        turn: place + 1,
        earlier: before.turns.slice(0, place),
        started,
        failed: async () => undefined,
      }

    const now = clock.now()
    const last = before?.turns.at(-1)
    if (last && (last.job === null ? now - last.at < startTime : await isRunning(last.job))) throw busy(last)
    const earlier = before?.turns.filter(({ job }) => job !== null) ?? []
    const after = await update({ team, id }, (old) => {
      if (old?.turns.at(-1)?.claim !== last?.claim) return undefined
      const base = old ?? { id, team, kind, createdAt: now }
      return { ...base, updatedAt: now, turns: [...earlier, { claim, job: null, at: now }] }
    })
    const own = after?.turns.findIndex((one) => one.claim === claim) ?? -1
    if (own < 0) throw busy(after?.turns.at(-1))
    const failed = async (): Promise<void> =>
      void (await update({ team, id }, (old) => {
        if (old?.turns.at(-1)?.claim !== claim) return undefined
        return { ...old, turns: old.turns.slice(0, -1) }
      }))
    return { thread: id, turn: own + 1, earlier, started, failed }
  }
  return { find, begin }
}

function busy(turn: StoredTurn | undefined): EngineError {
  return new EngineError('conflict', 'A turn of this thread is running. Wait for its end, or cancel it.', {
    details: { publicCode: 'thread_busy', ...(turn?.job && { runId: turn.job }) },
  })
}
