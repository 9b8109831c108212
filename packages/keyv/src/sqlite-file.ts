import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Sqlite from 'node:sqlite'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { ListOptions } from '@harvestman/ports'
import { listBounds, type Packed } from '@harvestman/ports/stores'
import { makePrivateFolder, restrictSqlite } from '@harvestman/toolbox/private-files'

import { storeFailed } from './errors.ts'

export interface Row {
  readonly value: Packed
  readonly expires: number
}

export interface NamedRow extends Row {
  readonly key: string
}

/** A table of keys and values in an open file. All calls are synchronous. */
export interface Table {
  get(key: string): Row | undefined
  /** Returns whether the key is live, without reading its value. */
  has(key: string, now: number): boolean
  put(key: string, row: Row): void
  drop(key: string): boolean
  /** Returns the next rows with this key prefix in the order of their keys, after a given key if there is one. */
  next(beginning: string, after: string | undefined): readonly NamedRow[]
  /** Returns the live rows with this key prefix, in the order of their keys, as `Store.list` requires. */
  list(prefix: string, options: ListOptions, now: number): readonly NamedRow[]
  /** Returns a number that changes after each commit of another connection. */
  version(): number
  /** Deletes all keys with this prefix. */
  clear(beginning: string): void
  /** Deletes some expired rows, and returns whether there may be more to do. */
  sweep(now: number): boolean
  begin(): void
  commit(): void
  rollback(): void
  readonly isInTransaction: boolean
  /** Returns whether the file is still at its path. SQLite can write to a deleted file, but all of that is lost in the end. */
  isThere(): boolean
  close(): void
}

export interface FileOptions {
  /**
   * `normal`: acknowledged writes survive the end of the process, also by `kill -9`; a power failure may lose the latest ones,
   * but does not damage the file. `full`: they also survive a power failure, at the cost of one disk sync per commit.
   */
  readonly sync?: 'normal' | 'full'
  /** Maximum size of the file in bytes. */
  readonly maxBytes?: number
}

// Increased when the layout changes, so that an older version does not write to a newer file.
const layout = 1
// Segments of a log are written in half as many steps as with half this page size; larger pages slow down the many small
// records.
const pageBytes = 16_384
// Copying the write-ahead log into the file blocks the process, so its size is limited.
const checkpointBytes = 8_192_000
const sweepRows = 256
// Rows per step. A log segment is about a megabyte, and all rows of a step are in memory.
const scannedRows = 32
const freePages = 64
// In SQLite, any blob sorts after every string.
const behindAll = new Uint8Array()

/**
 * Opens the table `name` in a SQLite file, and creates both, and the folder, if they do not exist. Does not wait for locks.
 * Throws `store_failed` for an empty file older than 10 seconds, whose data is lost, for a file of a newer version, and if the
 * folder cannot hold a shared file; otherwise the error of SQLite or of the file system.
 */
export function openFile(file: string, name: string, { sync = 'normal', maxBytes }: FileOptions): Table {
  if (file !== ':memory:') makePrivateFolder(dirname(file))
  refuseEmptied(file)
  const { DatabaseSync } = loadSqlite()
  // Waiting for a lock inside SQLite would block the whole process; the caller waits and retries instead.
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    restrictSqlite(file)
    prepareFile(database, file, sync)
    if (maxBytes !== undefined) database.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / pageBytes)}`)
    prepareTable(database, name)
    return tableOf(database, name, thereAt(file))
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Opens a file read-only. It writes no files either, so it works on a full disk, but it does not see later writes: open it
 * again for each read. Returns `undefined` for `:memory:`, and if the latest values are still in the write-ahead log. Throws
 * the error of SQLite if the file cannot be opened or does not have the table.
 */
export function openForReading(file: string, name: string): Table | undefined {
  if (file === ':memory:' || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined
  const { DatabaseSync } = loadSqlite()
  const address = pathToFileURL(file)
  address.searchParams.set('immutable', '1')
  return tableOf(new DatabaseSync(address, { readOnly: true }), name, thereAt(file))
}

// Milliseconds for which a file that another process is creating may be empty.
const creationTime = 10_000

/** Throws if the file is empty, because SQLite would treat it as a new one. */
function refuseEmptied(file: string): void {
  const found = file === ':memory:' ? undefined : statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > 0 || Date.now() - found.mtimeMs < creationTime) return
  const message = `The store at ${file} is empty (0 bytes), so its data is lost. Restore a backup, or delete the file to start with a new store.`
  throw storeFailed(message, undefined, { reason: 'damaged', file })
}

function prepareFile(database: DatabaseSync, file: string, sync: string): void {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  if (typeof version === 'number' && version > layout)
    throw storeFailed(`The store at ${file} was written by a newer version. Use that one, or another file.`)
  if (version !== layout) database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL`)
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
  if (mode !== 'wal' && file !== ':memory:')
    throw storeFailed(`The folder of ${file} cannot hold a shared SQLite file. Use a folder on a local disk.`)
  const checkpoint = checkpointBytes / pageBytes
  database.exec(
    `PRAGMA synchronous = ${sync}; PRAGMA user_version = ${layout}; PRAGMA wal_autocheckpoint = ${checkpoint}`,
  )
}

function prepareTable(database: DatabaseSync, name: string): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${name} (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, expires REAL, value ANY NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS ${name}_expires ON ${name} (expires) WHERE expires IS NOT NULL;
  `)
}

function thereAt(file: string): () => boolean {
  if (file === ':memory:') return () => true
  const inode = () => statSync(file, { throwIfNoEntry: false })?.ino
  const opened = inode()
  return () => inode() === opened
}

function tableOf(database: DatabaseSync, name: string, isThere: () => boolean): Table {
  const sql = (text: string): StatementSync => database.prepare(text)
  const get = sql(`SELECT value, expires FROM ${name} WHERE key = ?`)
  const expires = sql(`SELECT expires FROM ${name} WHERE key = ?`)
  const put = sql(`
    INSERT INTO ${name} (key, expires, value) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, value = excluded.value
  `)
  const drop = sql(`DELETE FROM ${name} WHERE key = ?`)
  const clear = sql(`DELETE FROM ${name} WHERE substr(key, 1, length(?1)) = ?1`)
  const sweep = sql(`
    DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name} WHERE expires <= ? LIMIT ${sweepRows})
  `)
  const [begin, commit, rollback] = [sql('BEGIN IMMEDIATE'), sql('COMMIT'), sql('ROLLBACK')]

  const count = (pragma: StatementSync): number => Number(Object.values(pragma.get() ?? {})[0])
  const [version, free, pages] = [sql('PRAGMA data_version'), sql('PRAGMA freelist_count'), sql('PRAGMA page_count')]
  // Free pages are reused, so they are released only if they are most of the file, and a few at a time. Only `exec` runs the
  // pragma to its end.
  const shrink = (): boolean => {
    const freed = count(free)
    if (freed < freePages || freed * 2 < count(pages)) return false
    database.exec(`PRAGMA incremental_vacuum(${freePages})`)
    return true
  }

  return {
    get(key) {
      const row = get.get(key)
      return row && rowOf(row)
    },
    has(key, now) {
      const row = expires.get(key)
      return row !== undefined && (row['expires'] === null || Number(row['expires']) > now)
    },
    put(key, { value, expires }) {
      put.run(key, expires === Infinity ? null : expires, value)
    },
    drop: (key) => drop.run(key).changes > 0,
    ...inOrder(database, name),
    version: () => count(version),
    clear: (beginning) => void clear.run(beginning),
    sweep(now) {
      const { changes } = sweep.run(now)
      return shrink() || changes === sweepRows
    },
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollback: () => void rollback.run(),
    get isInTransaction() {
      return database.isTransaction
    },
    isThere,
    close: () => database.close(),
  }
}

/** Returns the functions that read rows in the order of their keys. */
function inOrder(database: DatabaseSync, name: string): Pick<Table, 'next' | 'list'> {
  const rows = `SELECT key, value, expires FROM ${name}`
  const next = (is: string): StatementSync =>
    database.prepare(`${rows} WHERE key ${is} ? ORDER BY key LIMIT ${scannedRows}`)
  const [from, above] = [next('>='), next('>')]
  const list = (order: string): StatementSync =>
    database.prepare(
      `${rows} WHERE key >= ? AND key < ? AND (expires IS NULL OR expires > ?) ORDER BY key ${order} LIMIT ?`,
    )
  const [forth, back] = [list('ASC'), list('DESC')]
  return {
    next(beginning, after) {
      const found = after === undefined ? from.all(beginning) : above.all(after)
      return found.map(namedRowOf).filter(({ key }) => key.startsWith(beginning))
    },
    list(prefix, options, now) {
      const { from: first, to = behindAll } = listBounds(prefix, options)
      return (options.isReverse ? back : forth).all(first, to, now, options.limit).map(namedRowOf)
    },
  }
}

function namedRowOf(row: Readonly<Record<string, unknown>>): NamedRow {
  return Object.assign(rowOf(row), { key: row['key'] as string })
}

function rowOf(row: Readonly<Record<string, unknown>>): Row {
  return { value: row['value'] as Packed, expires: (row['expires'] as number | null) ?? Infinity }
}

// Loaded on demand. Node 22 warns that the module is experimental, which is irrelevant for users of a store. All other warnings
// pass.
function loadSqlite(): typeof Sqlite {
  const { emitWarning } = process
  process.emitWarning = (...given: readonly unknown[]) => {
    if (!String(given[0]).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, given)
  }
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
