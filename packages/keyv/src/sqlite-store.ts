import type { Store } from '@harvestman/core/ports'

import { groupCommit } from './group-commit.ts'
import { expiry, pack, unpack, type Packed } from './pack.ts'
import type { Table } from './sqlite-file.ts'
import type { SqliteOptions } from './transactions.ts'

/**
 * Keeps values in a SQLite file on a local disk, which is made with its folder when it is first used; several processes
 * of one machine may share it. `:memory:` keeps them in this process.
 */
export function sqliteStore(file: string, options: SqliteOptions = {}): Store {
  const { now, read, write, close } = groupCommit(file, 'kept', options)
  const put = (table: Table, key: string, value: Packed, expires: number) => {
    if (now() < expires) table.put(key, { value, expires })
    else table.drop(key)
  }

  return {
    reach: file === ':memory:' ? 'process' : 'shared',
    async get(key) {
      const [row] = await read([key])
      return row && unpack(row.value)
    },
    async getMany(keys) {
      const rows = await read(keys)
      return rows.map((row) => row && unpack(row.value))
    },
    async set(key, value, options) {
      const packed = pack(key, value)
      const expires = expiry(now(), options)
      await write(packed.length, (table) => put(table, key, packed, expires))
    },
    update(key, change, options) {
      return write(0, (table) => {
        const row = table.get(key)
        const live = row && now() < row.expires ? row : undefined
        const old = live && unpack(live.value)
        const value = change(old)
        if (value === old) return old
        if (value === undefined) table.drop(key)
        else put(table, key, pack(key, value), expiry(now(), options, live?.expires))
        return value
      })
    },
    async delete(key) {
      await write(0, (table) => table.drop(key))
    },
    close,
  }
}
