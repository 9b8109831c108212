// The index of one team. Each team has its own database file, so that a query cannot reach another team's pages.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

import { makePrivateFolder, restrictSqlite } from '@harvestman/toolbox/private-files'

import { findingIn, type Finding } from './finding.ts'
import { pageTables, rowsOf, type CutPage, type IndexedPage, type Size } from './rows.ts'
import { vectorsOf, vectorTables, type Vectors } from './vectors.ts'

export interface IndexBounds {
  /** Maximum number of pages per team. The oldest are removed. */
  readonly pages: number
  /** Maximum total text size of a team's pages, in bytes. The oldest are removed. */
  readonly bytes: number
  /** How long a page can be found after it was scraped, in milliseconds. */
  readonly life: number
  /** Maximum number of vectors per team. Further chunks are found by their words only. */
  readonly vectors: number
}

export interface TeamIndex extends Finding, Pick<Vectors, 'pending' | 'store'> {
  /** Returns whether the page is in the index with this title and Markdown. */
  has(page: IndexedPage): boolean
  put(pages: readonly CutPage[]): void
  forget(url: string): void
  close(): void
}

// Schema version. An index with another version is recreated empty, because its pages can be scraped again.
const layout = 2
const sweptAtOnce = 64

/**
 * Opens an index. A damaged file, or one with another layout, is replaced by an empty one; other errors, such as missing
 * permissions, are thrown. `put` replaces pages by URL and drops those beyond the limits; `find` returns pages with all words
 * before pages with some.
 */
export function openTeamIndex(file: string, bounds: IndexBounds): TeamIndex {
  try {
    return indexOf(openFile(file), bounds)
  } catch (error) {
    if (file === ':memory:' || !isUseless(error)) throw error
    removeFile(file)
    return indexOf(openFile(file), bounds)
  }
}

/** SQLite's primary result codes for a damaged file. */
const damages = { corrupt: 11, notADatabase: 26 }

class OtherLayout extends Error {}

/** Returns whether the file has nothing to keep. A locked file, a full disk or a missing permission do not count. */
function isUseless(error: unknown): boolean {
  if (error instanceof OtherLayout) return true
  if (!(error instanceof Error) || !('errcode' in error)) return false
  // The lower byte of an extended result code is the primary one.
  const code = Number(error.errcode) & 0xff
  return code === damages.corrupt || code === damages.notADatabase
}

/** Deletes a database with its auxiliary files. Files that do not exist are ignored. */
export function removeFile(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
}

function openFile(file: string): DatabaseSync {
  if (file !== ':memory:') makePrivateFolder(dirname(file))
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  // This thread does nothing else, so it can block while another process holds the lock.
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    restrictSqlite(file)
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version !== 0 && version !== layout) throw new OtherLayout(`The index has layout ${version}.`)
    // Pages lost in a power failure can be scraped again, so writes need not be synced.
    database.exec(`
      PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000;
      ${pageTables} ${vectorTables}
      PRAGMA user_version = ${layout};
    `)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function indexOf(database: DatabaseSync, bounds: IndexBounds): TeamIndex {
  const vectors = vectorsOf(database, bounds.vectors)
  return {
    ...writing(database, bounds),
    ...findingIn(database, vectors, bounds.life),
    pending: (model, limit) => inOne(database, () => vectors.pending(model, limit)),
    store: (model, found) => inOne(database, () => vectors.store(model, found)),
    close: () => database.close(),
  }
}

function writing(database: DatabaseSync, bounds: IndexBounds): Pick<TeamIndex, 'has' | 'put' | 'forget'> {
  const rows = rowsOf(database)
  const drop = (total: Size, id: number, bytes: number): void => {
    rows.drop(id)
    total.pages -= 1
    total.bytes -= bytes
  }
  const put = (page: CutPage, total: Size): void => {
    const old = rows.find(page.url)
    if (old?.title === page.title && old.markdown === page.markdown) return rows.touch(old.id, page)
    // Another process has replaced the page since.
    if (!page.chunks) return
    if (old) drop(total, old.id, Buffer.byteLength(old.markdown))
    const bytes = Buffer.byteLength(page.markdown)
    rows.add(page, page.chunks, bytes)
    total.pages += 1
    total.bytes += bytes
  }
  const trim = (now: number, total: Size): void => {
    for (;;) {
      const oldest = rows.oldest(sweptAtOnce)
      for (const { id, at, bytes } of oldest) {
        const isTooMuch = total.pages > bounds.pages || total.bytes > bounds.bytes
        if (!isTooMuch && at >= now - bounds.life) return
        drop(total, id, bytes)
      }
      if (oldest.length === 0) return
    }
  }
  return {
    has: ({ url, title, markdown }) => {
      const known = rows.find(url)
      return known?.title === title && known.markdown === markdown
    },
    put: (pages) =>
      inOne(database, () => {
        // Another process may have added pages in the meantime.
        const total = rows.size()
        for (const page of pages) put(page, total)
        trim(Math.max(...pages.map(({ at }) => at)), total)
        rows.dropUnusedVectors()
      }),
    forget: (url) =>
      inOne(database, () => {
        const old = rows.find(url)
        if (old) rows.drop(old.id)
        rows.dropUnusedVectors()
      }),
  }
}

/** Runs the work in a transaction. */
function inOne<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
