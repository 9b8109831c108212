import { appendToList, expiryOf, isLive, packValue, unpackValue, type Packed } from '@harvestman/ports/stores'
import { EngineError, type KeptEntry, type Store } from '@harvestman/ports'

import { storeFailed } from './errors.ts'
import { groupCommit } from './group-commit.ts'
import type { Row, Table } from './sqlite-file.ts'
import { watchFile } from './sqlite-watch.ts'
import type { SqliteOptions } from './transactions.ts'

/**
 * Stores values in a SQLite file on a local disk, which is created with its folder at first use. Several processes of one host
 * may share it. `:memory:` stores values in this process, separately for each store. Throws `invalid_request` for a name that
 * is no string. Calls reject with `store_failed` if the file cannot be used, and with `closed` after closing.
 */
export function sqliteStore(file: string, options: SqliteOptions = {}): Store {
  if (typeof file !== 'string')
    throw new EngineError(
      'invalid_request',
      `sqliteStore needs the name of a file, such as "data.sqlite", but got ${typeof file}.`,
    )
  const reach = file === ':memory:' ? 'process' : 'shared'
  const commits = groupCommit(file, 'kept', options)
  const watchers = watchFile(commits, reach === 'shared')
  return {
    reach,
    ...readsOf(commits),
    ...writesOf(commits, watchers.tell),
    async watch(key, changed) {
      // Ensures that later writes are noticed, and that an unusable file causes an error.
      await commits.look((table) => table.version())
      return watchers.add(key, changed)
    },
    async check() {
      if (await commits.look((table) => table.isThere())) return
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

type Commits = ReturnType<typeof groupCommit>

function readsOf({ now, read, look }: Commits) {
  return {
    async get(key) {
      const [row] = await read([key])
      return row && unpackValue(row.value)
    },
    async getMany(keys) {
      const rows = await read(keys)
      return rows.map((row) => row && unpackValue(row.value))
    },
    has: (keys) => look((table) => keys.map((key) => table.has(key, now()))),
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
        yield rows.flatMap((row) => (isLive(row.expires, now()) ? [entryOf(row, now())] : []))
      }
    },
  } satisfies Partial<Store>
}

function writesOf({ now, write }: Commits, tell: (key: string) => void) {
  const put = (table: Table, key: string, value: Packed, expires: number): void => {
    if (isLive(expires, now())) table.put(key, { value, expires })
    else table.drop(key)
  }
  const liveIn = (table: Table, key: string): Row | undefined => {
    const row = table.get(key)
    return row && isLive(row.expires, now()) ? row : undefined
  }
  const change = async <T>(key: string, size: number, work: (table: Table) => T): Promise<T> => {
    const result = await write(size, work)
    tell(key)
    return result
  }
  return {
    async set(key, value, options) {
      const packed = packValue(key, value)
      const expires = expiryOf(now(), options)
      await change(key, packed.length, (table) => put(table, key, packed, expires))
    },
    update: (key, make, options) =>
      change(key, 0, (table) => {
        const row = liveIn(table, key)
        const old = row && unpackValue(row.value)
        const value = make(old)
        if (value === old) return old
        if (value === undefined) table.drop(key)
        else put(table, key, packValue(key, value), expiryOf(now(), options, row?.expires))
        return value
      }),
    add: (key, items, options) =>
      change(key, 0, (table) => {
        const row = liveIn(table, key)
        put(table, key, appendToList(key, row?.value, items), expiryOf(now(), options, row?.expires))
      }),
    delete: (key) => change(key, 0, (table) => void table.drop(key)),
  } satisfies Partial<Store>
}

function entryOf({ key, value, expires }: Row & { readonly key: string }, now: number): KeptEntry {
  return { key, value: unpackValue(value), ...(expires < Infinity && { ttl: expires - now }) }
}
