// The index of one team. Each team has its own database file, so that a query cannot reach another team's pages.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

import { makePrivateFolder, restrictSqlite } from '@harvestman/toolbox/private-files'

import { cutPage, type PageChunk } from './cut.ts'
import { findingIn, type Finding } from './finding.ts'
import { pageTables, rowsOf, type IndexedPage, type Size, type UncutPage } from './rows.ts'
import { sqliteRows } from './sqlite-search.ts'
import { inOne } from './transaction.ts'
import { vectorsOf, vectorTables, type PendingChunk, type Vectors } from './vectors.ts'

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

export interface TeamIndex extends Finding, Pick<Vectors, 'store'> {
  put(pages: readonly IndexedPage[]): void
  /** Returns up to `limit` chunks to embed. Empty if there are none. Rejects when aborted. */
  pending(model: string, limit: number, signal: AbortSignal): Promise<readonly PendingChunk[]>
  forget(url: string): void
  close(): void
}

// Schema version. An index with another version is recreated empty, because its pages can be scraped again.
const layout = 3
const sweptAtOnce = 64
const cutAtOnce = 64

type Rows = ReturnType<typeof rowsOf>

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
  const rows = rowsOf(database)
  const cut = cutting(database, rows)
  return {
    ...writing(database, rows, bounds),
    ...findingIn(sqliteRows(database, { vectors, cut, life: bounds.life }), bounds.life),
    pending: async (model, limit, signal) => {
      for (;;) {
        const found = inOne(database, () => vectors.pending(model, limit))
        const uncut = found.length < limit ? rows.allUncut(cutAtOnce) : []
        if (uncut.length === 0) return found
        await cut(uncut, signal)
      }
    },
    store: (model, found) => inOne(database, () => vectors.store(model, found)),
    close: () => database.close(),
  }
}

/**
 * Returns a function that adds the chunks of pages to the index. Most pages are never searched for passages, so pages are cut
 * when a query first needs their chunks.
 */
function cutting(database: DatabaseSync, rows: Rows): (ids: readonly number[], signal: AbortSignal) => Promise<void> {
  return async (ids, signal) => {
    const cut: { readonly page: UncutPage; readonly chunks: readonly PageChunk[] }[] = []
    for (const id of ids) {
      const page = rows.uncut(id)
      if (page) cut.push({ page, chunks: await cutPage(page.markdown, signal) })
    }
    if (cut.length === 0) return
    inOne(database, () => {
      for (const { page, chunks } of cut) rows.addChunks(page, chunks)
    })
  }
}

function writing(database: DatabaseSync, rows: Rows, bounds: IndexBounds): Pick<TeamIndex, 'put' | 'forget'> {
  const drop = (total: Size, id: number, bytes: number): void => {
    rows.drop(id)
    total.pages -= 1
    total.bytes -= bytes
  }
  const put = (page: IndexedPage, total: Size): void => {
    const old = rows.find(page.url)
    if (old?.title === page.title && old.markdown === page.markdown) return rows.touch(old.id, page)
    if (old) drop(total, old.id, Buffer.byteLength(old.markdown))
    const bytes = Buffer.byteLength(page.markdown)
    rows.add(page, bytes)
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
