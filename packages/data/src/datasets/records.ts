// The records of datasets: what one is, and how many rows it has.
import { layout } from '@harvestman/core/plugin'
import type { Json, Store } from '@harvestman/ports'

import type { Columns } from './columns.ts'
import { datasetKeys } from './keys.ts'

/** An upsert that has begun. */
export interface Writing {
  readonly owner: string
  readonly at: number
}

/** A dataset as it is kept. */
export interface DatasetRecord {
  readonly name: string
  readonly team: string
  /** The name of its rows in the store: another one each time a dataset is made. */
  readonly rowsAt: string
  readonly key: readonly string[]
  readonly schema: { readonly [key: string]: Json } | null
  readonly columns: Columns
  readonly createdAt: number
  readonly updatedAt: number
  readonly rows: number
  /** Upserts that are under way, by their id: one whose engine is gone leaves `rows` to be counted anew. */
  readonly writing: Readonly<Record<string, Writing>>
  /** Goes up with each upsert. */
  readonly version: number
}

const sealed = layout<DatasetRecord>(1, { name: 'text', rowsAt: 'text', columns: 'record', key: 'list' })
const what = 'A dataset'

/** The records of datasets. */
export interface DatasetRecords {
  get(team: string, name: string): Promise<DatasetRecord | undefined>
  /** Writes a new one; gives false when there is one of this name. */
  create(record: DatasetRecord): Promise<boolean>
  /** One step on a record. Gives what it is then, or nothing when it is gone. */
  update(
    team: string,
    name: string,
    change: (record: DatasetRecord) => DatasetRecord,
  ): Promise<DatasetRecord | undefined>
  /** Removes it, when its rows are still the same. */
  delete(record: DatasetRecord): Promise<void>
  /** Those of a team, by name. */
  list(team: string, limit: number): Promise<readonly DatasetRecord[]>
}

/** Keeps the records of datasets in a store. */
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
      const kept = await store.update(keyOf(team, name), (old) => {
        const record = sealed.open(what, old)
        return record && sealed.seal(change(record))
      })
      return sealed.open(what, kept)
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
