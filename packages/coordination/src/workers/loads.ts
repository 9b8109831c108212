// Number of jobs of each worker on a store. A worker publishes its own count, and reads the others before it takes a job.
import { randomUUID } from 'node:crypto'

import type { ListedEntry, Store } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'
import { heartbeat } from '../records/heartbeat.ts'
import { layout } from '../records/layout.ts'
import { isOwnerGone } from '../records/owner.ts'
import { runWithoutOverlap } from '../records/run-without-overlap.ts'

/** The load of this worker and of the others on its store. */
export interface Loads {
  /** Returns the numbers of jobs of other workers: of all, or of a random sample if there are many. */
  others(): Promise<readonly number[]>
  /** Publishes the current number of jobs; must be called when it has changed. */
  show(): void
  close(): Promise<void>
}

export interface LoadsOptions {
  readonly store: Store
  /** The name of this engine. */
  readonly owner: string
  /** Returns the current number of jobs of this worker. */
  readonly jobs: () => number
}

interface Shown {
  readonly owner: string
  readonly jobs: number
}

const shownLayout = layout<Shown>(1, { owner: 'text', jobs: 'number' })
/** Maximum number of workers read at once, so that the cost of reading is constant. */
const maxReads = 64
/** Milliseconds between two updates of a worker, and lifetime of an update. */
const [showEvery, shownFor] = [2_000, 5_000]

/** Used if no other process shares the store. */
const alone: Loads = { others: async () => [], show: () => undefined, close: async () => undefined }

/**
 * Publishes the load of a worker to the others on its store, until it is closed. Failed writes are ignored; `others` rejects if
 * the store fails. A store that only this process uses needs no loads, so `others` is then empty.
 */
export function openLoads({ store, owner, jobs }: LoadsOptions): Loads {
  if (store.reach === 'process') return alone
  // The last part of an engine's name is unique and random.
  const own = coordinationKeys.load(owner.split('/').at(-1) ?? owner)
  let isClosed = false
  const write = runWithoutOverlap(async () => {
    if (!isClosed) await store.set(own, shownLayout.seal({ owner, jobs: jobs() }), { ttl: shownFor })
  })
  const show = (): void => void write().catch(() => undefined)
  const stopBeating = heartbeat(write, showEvery)
  const read = reader(store)
  show()
  return {
    others: async () => {
      const entries = await read()
      return entries.flatMap(({ key, value }) => {
        const shown = key === own ? undefined : shownLayout.openWhole('The number of jobs of a worker', value)
        return shown && !isOwnerGone(shown.owner) ? [shown.jobs] : []
      })
    },
    show,
    close: async () => {
      isClosed = true
      stopBeating()
      await write().catch(() => undefined)
      await store.delete(own).catch(() => undefined)
    },
  }
}

/** Returns a function that reads all published loads or, if there are many, a sample from a random position. */
function reader(store: Store): () => Promise<readonly ListedEntry[]> {
  const { begins } = coordinationKeys.load
  let isMany = false
  return async () => {
    const after = isMany ? coordinationKeys.load(randomUUID()) : undefined
    const entries = await store.list(begins, { limit: maxReads, after })
    if (after === undefined) isMany = entries.length === maxReads
    if (after === undefined || entries.length === maxReads) return entries
    const first = await store.list(begins, { limit: maxReads - entries.length })
    isMany = new Set([...entries, ...first].map(({ key }) => key)).size === maxReads
    return isMany ? [...entries, ...first] : first
  }
}
