import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Sqlite from 'node:sqlite'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { ListOptions } from '@harvestman/ports'
import { listBounds, makePrivateFolder, type Packed, restrictSqlite } from '@harvestman/ports/adapters'

import { storeFailed } from './errors.ts'

export interface Row {
  readonly value: Packed
  readonly expires: number
}

export interface NamedRow extends Row {
  readonly key: string
}

/** One table of keys and values in an open file. Every call is done when it returns. */
export interface Table {
  get(key: string): Row | undefined
  /** Whether the key is live, without its value. */
  has(key: string, now: number): boolean
  put(key: string, row: Row): void
  drop(key: string): boolean
  /** The next rows in the order of their keys, after one of them when it is given. */
  next(beginning: string, after: string | undefined): readonly NamedRow[]
  /** The live rows whose keys begin so, in the order of the keys, as the port asks for them. */
  list(prefix: string, options: ListOptions, now: number): readonly NamedRow[]
  /** Another one after each commit of another connection. */
  version(): number
  /** Removes the keys that begin so. */
  clear(beginning: string): void
  /** Removes some of what has expired, and tells whether there may be more to do. */
  sweep(now: number): boolean
  begin(): void
  commit(): void
  rollback(): void
  readonly isInTransaction: boolean
  /** Whether the file is still where it was opened. Into a deleted one SQLite writes on, and it is all lost in the end. */
  isThere(): boolean
  close(): void
}

export interface FileOptions {
  /**
   * `normal`: what was acknowledged survives the end of the process, also by `kill -9`; a power failure may take the
   * last moments, and leaves the file whole. `full`: it survives the power failure too, for one disk sync a commit.
   */
  readonly sync?: 'normal' | 'full'
  /** The file grows no larger than this. */
  readonly maxBytes?: number
}

// Raised when the layout changes, so that an older version does not write into a newer file.
const layout = 1
// Segments of a log are written with half as many steps as in pages of half this size; still larger ones cost more for
// the many small records.
const pageBytes = 16_384
// What is copied from the log of the file into the file at once holds the process up, so it is bounded.
const checkpointBytes = 8_192_000
const sweepRows = 256
// A segment of a log is about a megabyte, and all rows of a step are held at once.
const scannedRows = 32
const keptFree = 64
// To SQLite any bytes come behind every text.
const behindAll = new Uint8Array()

export function openFile(file: string, name: string, { sync = 'normal', maxBytes }: FileOptions): Table {
  if (file !== ':memory:') makePrivateFolder(dirname(file))
  refuseEmptied(file)
  const { DatabaseSync } = loadSqlite()
  // Waiting for a lock inside SQLite would stop the whole process; the caller waits, and tries again.
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
 * Opens a file for reading only. Nothing is written beside it either, so it works on a full disk, and it does not see what is written
 * meanwhile: open it anew for each read. Gives nothing when the newest values are not in the file itself.
 */
export function openForReading(file: string, name: string): Table | undefined {
  if (file === ':memory:' || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined
  const { DatabaseSync } = loadSqlite()
  const address = pathToFileURL(file)
  address.searchParams.set('immutable', '1')
  return tableOf(new DatabaseSync(address, { readOnly: true }), name, thereAt(file))
}

// A file that another process has just created is empty for a moment.
const creationTime = 10_000

/** SQLite takes an empty file for a new one. */
function refuseEmptied(file: string): void {
  const found = file === ':memory:' ? undefined : statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > 0 || Date.now() - found.mtimeMs < creationTime) return
  const message = `The store at ${file} is empty (0 bytes), so what it held is lost. Bring back a copy, or delete the file to start with a new store.`
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

  const count = (pragma: string): number => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  // Free pages are used again, so they are given back only when they are most of the file, and a few at a time. Only
  // `exec` steps through the pragma to its end.
  const shrink = (): boolean => {
    const free = count('freelist_count')
    if (free < keptFree || free * 2 < count('page_count')) return false
    database.exec(`PRAGMA incremental_vacuum(${keptFree})`)
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
    version: () => count('data_version'),
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

/** Reads rows in the order of their keys. */
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

// Loaded when it is first needed. Node 22 warns on loading that the module is experimental; people who use a store have
// no use for that line. All other warnings pass.
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
