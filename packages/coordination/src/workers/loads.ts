// Numbers of jobs of the workers on a store. A worker shows its own, and reads those of others before it takes a job.
import { randomUUID } from 'node:crypto'

import type { ListedEntry, Store } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'
import { heartbeat } from '../records/heartbeat.ts'
import { layout } from '../records/layout.ts'
import { isOwnerGone } from '../records/owner.ts'
import { rerun } from '../records/rerun.ts'

/** A worker among the others on its store. */
export interface Loads {
  /** The numbers of jobs of other workers: of all, or of some chosen at random where there are many. */
  others(): Promise<readonly number[]>
  /** Shows how many jobs this worker has now; to be called when that has changed. */
  show(): void
  close(): Promise<void>
}

export interface LoadsOptions {
  readonly store: Store
  /** The name of this engine. */
  readonly owner: string
  /** The jobs that this worker has now. */
  readonly jobs: () => number
}

interface Shown {
  readonly owner: string
  readonly jobs: number
}

const shownLayout = layout<Shown>(1, { owner: 'text', jobs: 'number' })
/** Workers that are read at once, so that reading costs the same however many there are. */
const mostRead = 64
/** Milliseconds between two signs of a worker that it is there, and for which it counts without one. */
const [showEvery, shownFor] = [2_000, 5_000]

/** Loads of a worker whose store no other process shares. */
const alone: Loads = { others: async () => [], show: () => undefined, close: async () => undefined }

/** Shows a worker to the others on its store, until it is closed. */
export function openLoads({ store, owner, jobs }: LoadsOptions): Loads {
  if (store.reach === 'process') return alone
  // The last part of the name of an engine is its own, and random.
  const own = coordinationKeys.load(owner.split('/').at(-1) ?? owner)
  let isClosed = false
  const write = rerun(async () => {
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

/** Reads all that is shown or, where that is much, a part that begins anywhere. */
function reader(store: Store): () => Promise<readonly ListedEntry[]> {
  const { begins } = coordinationKeys.load
  let isMany = false
  return async () => {
    const after = isMany ? coordinationKeys.load(randomUUID()) : undefined
    const entries = await store.list(begins, { limit: mostRead, after })
    if (after === undefined) isMany = entries.length === mostRead
    if (after === undefined || entries.length === mostRead) return entries
    const first = await store.list(begins, { limit: mostRead - entries.length })
    isMany = new Set([...entries, ...first].map(({ key }) => key)).size === mostRead
    return isMany ? [...entries, ...first] : first
  }
}
