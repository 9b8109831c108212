// Stored records of datasets, with their row counts.
import { layout } from '@harvestman/core/plugin'
import type { Json, Store } from '@harvestman/ports'

import type { Columns } from './columns.ts'
import { datasetKeys } from './keys.ts'

/** An upsert in progress. */
export interface Writing {
  readonly owner: string
  readonly at: number
}

/** A stored dataset. */
export interface DatasetRecord {
  readonly name: string
  readonly team: string
  /** Prefix of its rows in the store. Unique, so a new dataset with the same name never sees old rows. */
  readonly rowsAt: string
  readonly key: readonly string[]
  readonly schema: { readonly [key: string]: Json } | null
  readonly columns: Columns
  readonly createdAt: number
  readonly updatedAt: number
  readonly rows: number
  /** Upserts in progress, by id. If an engine stops during one, `rows` must be recounted. */
  readonly writing: Readonly<Record<string, Writing>>
  /** Incremented by each write. */
  readonly version: number
}

const sealed = layout<DatasetRecord>(1, { name: 'text', rowsAt: 'text', columns: 'record', key: 'list' })
const what = 'A dataset'

/** Reads and writes the records of datasets. */
export interface DatasetRecords {
  get(team: string, name: string): Promise<DatasetRecord | undefined>
  /** Returns false if the name is taken. */
  create(record: DatasetRecord): Promise<boolean>
  /** Updates a record atomically. Returns the new record, or `undefined` if it does not exist. */
  update(
    team: string,
    name: string,
    change: (record: DatasetRecord) => DatasetRecord,
  ): Promise<DatasetRecord | undefined>
  /** Deletes the record, unless it was replaced by a new dataset of the same name. */
  delete(record: DatasetRecord): Promise<void>
  /** Lists the records of a team, by name. */
  list(team: string, limit: number): Promise<readonly DatasetRecord[]>
}

/**
 * Returns access to the records of datasets in a store. Nothing is read yet. Calls reject if the store fails or a record is
 * damaged; `list` omits damaged records.
 */
export function datasetRecords(store: Store): DatasetRecords {
  const keyOf = (team: string, name: string): string => datasetKeys.dataset(`${encodeURIComponent(team)}/${name}`)
  return {
    get: async (team, name) => sealed.open(what, await store.get(keyOf(team, name))),
    create: async (record) => {
      let isNew = false
      await store.update(keyOf(record.team, record.name), (old) => {
        isNew = old === undefined
        return old ?? sealed.seal(record)
      })
      return isNew
    },
    update: async (team, name, change) => {
      const updated = await store.update(keyOf(team, name), (old) => {
        const record = sealed.open(what, old)
        return record && sealed.seal(change(record))
      })
      return sealed.open(what, updated)
    },
    delete: async ({ team, name, rowsAt }) => {
      await store.update(keyOf(team, name), (old) => (sealed.open(what, old)?.rowsAt === rowsAt ? undefined : old))
    },
    list: async (team, limit) => {
      const entries = await store.list(keyOf(team, ''), { limit })
      return entries.flatMap(({ value }) => sealed.openWhole(what, value) ?? [])
    },
  }
}
