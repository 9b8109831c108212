import { appendToList, expiryOf, isLive, packValue, unpackValue, type Packed } from '@harvestman/ports/adapters'
import type { KeptEntry, Store } from '@harvestman/ports'

import { storeFailed } from './errors.ts'
import { groupCommit } from './group-commit.ts'
import type { Row, Table } from './sqlite-file.ts'
import { watchFile } from './sqlite-watch.ts'
import type { SqliteOptions } from './transactions.ts'

/**
 * Keeps values in a SQLite file on a local disk, which is made with its folder when it is first used; several processes
 * of one machine may share it. `:memory:` keeps them in this process.
 */
// oxlint-disable-next-line max-lines-per-function -- the verbs of one store
export function sqliteStore(file: string, options: SqliteOptions = {}): Store {
  const reach = file === ':memory:' ? 'process' : 'shared'
  const commits = groupCommit(file, 'kept', options)
  const { now, read, write, look } = commits
  const watchers = watchFile(commits, reach === 'shared')
  const put = (table: Table, key: string, value: Packed, expires: number) => {
    if (isLive(expires, now())) table.put(key, { value, expires })
    else table.drop(key)
  }
  const live = (row: Row | undefined): Row | undefined => (row && isLive(row.expires, now()) ? row : undefined)
  const telling = async <T>(key: string, written: Promise<T>): Promise<T> => {
    const result = await written
    watchers.tell(key)
    return result
  }

  return {
    reach,
    async get(key) {
      const [row] = await read([key])
      return row && unpackValue(row.value)
    },
    async getMany(keys) {
      const rows = await read(keys)
      return rows.map((row) => row && unpackValue(row.value))
    },
    async set(key, value, options) {
      const packed = packValue(key, value)
      const expires = expiryOf(now(), options)
      await telling(
        key,
        write(packed.length, (table) => put(table, key, packed, expires)),
      )
    },
    update(key, change, options) {
      const work = (table: Table) => {
        const row = live(table.get(key))
        const old = row && unpackValue(row.value)
        const value = change(old)
        if (value === old) return old
        if (value === undefined) table.drop(key)
        else put(table, key, packValue(key, value), expiryOf(now(), options, row?.expires))
        return value
      }
      return telling(key, write(0, work))
    },
    async add(key, items, options) {
      const work = (table: Table) => {
        const row = live(table.get(key))
        put(table, key, appendToList(key, row?.value, items), expiryOf(now(), options, row?.expires))
      }
      await telling(key, write(0, work))
    },
    async watch(key, changed) {
      // So that what is written from now on is seen, and a file that does not serve says so.
      await look((table) => table.version())
      return watchers.add(key, changed)
    },
    async list(prefix, options) {
      const rows = await look((table) => table.list(prefix, options, now()))
      return rows.map(({ key, value }) => ({ key, value: unpackValue(value) }))
    },
    async *scan(beginning) {
      let after: string | undefined
      for (;;) {
        const from = after
        const rows = await look((table) => table.next(beginning, from))
        after = rows.at(-1)?.key
        if (after === undefined) return
        yield rows.flatMap((row) => (live(row) ? [entryOf(row, now())] : []))
      }
    },
    async delete(key) {
      await telling(
        key,
        write(0, (table) => table.drop(key)),
      )
    },
    async check() {
      if (await look((table) => table.isThere())) return
      throw storeFailed(`The file ${file} was deleted or moved. Bring it back, or start again.`, undefined, {
        reason: 'missing',
      })
    },
    async close() {
      watchers.clear()
      await commits.close()
    },
  }
}

function entryOf({ key, value, expires }: Row & { readonly key: string }, now: number): KeptEntry {
  return { key, value: unpackValue(value), ...(expires < Infinity && { ttl: expires - now }) }
}
