// Stores the rows of datasets, one entry per row.
import { layout } from '@harvestman/core/plugin'
import type { Store } from '@harvestman/ports'

import { datasetKeys } from '../keys.ts'
import { upsert, type GivenRow, type Outcome, type Row } from './row.ts'

const sealed = layout<Row>(1, { id: 'text', values: 'record', history: 'list' })
const what = 'A row of a dataset'

/** Maximum number of entries per store call. */
const portion = 1_000

/** The stored rows of datasets. `rowsAt` is the row prefix of a dataset. */
export interface StoredRows {
  get(rowsAt: string, id: string): Promise<Row | undefined>
  /** Adds a row, or updates the row with the same id. */
  put(rowsAt: string, given: GivenRow, now: number): Promise<Outcome>
  delete(rowsAt: string, id: string): Promise<boolean>
  /** Returns at most `limit` rows after the given id, in order of their ids. */
  list(rowsAt: string, limit: number, after?: string): Promise<readonly Row[]>
  /** Yields all rows in batches. */
  all(rowsAt: string, signal: AbortSignal): AsyncGenerator<readonly Row[]>
  count(rowsAt: string, signal: AbortSignal): Promise<number>
  /** Deletes one batch of rows. Returns false when none are left. */
  clear(rowsAt: string): Promise<boolean>
}

/**
 * Returns access to the rows of datasets in a store. Nothing is read yet. Calls reject if the store fails or a record is
 * damaged.
 */
export function storedRows(store: Store): StoredRows {
  const keyOf = (rowsAt: string, id: string): string => datasetKeys.row(`${rowsAt}/${id}`)
  const entries = (rowsAt: string, limit: number, after?: string) =>
    store.list(keyOf(rowsAt, ''), { limit, after: after === undefined ? undefined : keyOf(rowsAt, after) })
  const list: StoredRows['list'] = async (rowsAt, limit, after) =>
    (await entries(rowsAt, limit, after)).flatMap(({ value }) => sealed.open(what, value) ?? [])

  async function* all(rowsAt: string, signal: AbortSignal): AsyncGenerator<readonly Row[]> {
    for (let after: string | undefined; ;) {
      signal.throwIfAborted()
      const rows = await list(rowsAt, portion, after)
      if (rows.length > 0) yield rows
      if (rows.length < portion) return
      after = rows.at(-1)?.id
    }
  }
  return {
    list,
    all,
    get: async (rowsAt, id) => sealed.open(what, await store.get(keyOf(rowsAt, id))),
    put: async (rowsAt, given, now) => {
      let outcome: Outcome = 'same'
      await store.update(keyOf(rowsAt, given.id), (old) => {
        const next = upsert(sealed.open(what, old), given, now)
        outcome = next.outcome
        return sealed.seal(next.row)
      })
      return outcome
    },
    delete: async (rowsAt, id) => {
      let was = false
      await store.update(keyOf(rowsAt, id), (old) => {
        was = old !== undefined
        return undefined
      })
      return was
    },
    count: async (rowsAt, signal) => {
      let count = 0
      for await (const rows of all(rowsAt, signal)) count += rows.length
      return count
    },
    clear: async (rowsAt) => {
      const found = await entries(rowsAt, portion)
      await Promise.all(found.map(({ key }) => store.delete(key)))
      return found.length === portion
    },
  }
}
