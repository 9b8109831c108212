// The index of one team. Each team has its own database file, so that a query cannot reach another team's pages.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

import type { SearchHit, SearchQuery } from '@harvestman/ports'
import { makePrivateFolder, restrictSqlite } from '@harvestman/toolbox/private-files'

import { conditionsOf, wantsAll } from './conditions.ts'
import { plainText, snippetOf } from './snippet.ts'
import { matchOf, readTerms, separateWords, type Terms } from './words.ts'

/** A page to add to the index. */
export interface IndexedPage {
  readonly url: string
  readonly title: string
  readonly markdown: string
  /** Time of scraping, in milliseconds since 1970. */
  readonly at: number
}

export interface IndexBounds {
  /** Maximum number of pages per team. The oldest are removed. */
  readonly pages: number
  /** Maximum total text size of a team's pages, in bytes. The oldest are removed. */
  readonly bytes: number
  /** How long a page can be found after it was scraped, in milliseconds. */
  readonly life: number
}

export interface TeamIndex {
  put(pages: readonly IndexedPage[]): void
  find(query: SearchQuery, now: number): readonly SearchHit[]
  forget(url: string): void
  close(): void
}

// Schema version. An index with another version is recreated empty, because its pages can be scraped again.
const layout = 1
const weights = 'bm25(words, 8.0, 2.0, 1.0)'
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
      CREATE TABLE IF NOT EXISTS pages (
        id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host TEXT NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL,
        title TEXT NOT NULL, body TEXT NOT NULL
      ) STRICT;
      -- With the bytes in it, how much there is can be summed up without reading any page.
      CREATE INDEX IF NOT EXISTS pages_by_age ON pages (at, bytes);
      CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
        title, url, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
      );
      PRAGMA user_version = ${layout};
    `)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function indexOf(database: DatabaseSync, bounds: IndexBounds): TeamIndex {
  return { ...writing(database, bounds), find: finding(database, bounds), close: () => database.close() }
}

type Size = {
  pages: number
  bytes: number
}

/** Prepared statements for a page's rows in both tables. */
function rowsOf(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text)
  const known = sql('SELECT id, title, body FROM pages WHERE url = ?')
  const touch = sql('UPDATE pages SET at = max(at, ?) WHERE id = ?')
  const addPage = sql('INSERT INTO pages (url, host, at, bytes, title, body) VALUES (?, ?, ?, ?, ?, ?)')
  const addWords = sql('INSERT INTO words (rowid, title, url, body) VALUES (?, ?, ?, ?)')
  const dropPage = sql('DELETE FROM pages WHERE id = ?')
  const dropWords = sql('DELETE FROM words WHERE rowid = ?')
  const size = sql('SELECT count(*) AS pages, coalesce(sum(bytes), 0) AS bytes FROM pages')
  const oldest = sql('SELECT id, at, bytes FROM pages ORDER BY at, id LIMIT ?')
  return {
    size: () => size.get() as Size,
    oldest: (most: number) => oldest.all(most) as { id: number; at: number; bytes: number }[],
    find: (url: string) => known.get(url) as { id: number; title: string; body: string } | undefined,
    touch: (id: number, at: number) => void touch.run(at, id),
    add: ({ url, title, at }: IndexedPage, body: string, bytes: number) => {
      const { hostname, host, pathname } = new URL(url)
      const id = Number(addPage.run(url, hostname, at, bytes, title, body).lastInsertRowid)
      addWords.run(id, separateWords(title), separateWords(host + decoded(pathname)), separateWords(body))
    },
    drop: (id: number) => {
      dropWords.run(id)
      dropPage.run(id)
    },
  }
}

function writing(database: DatabaseSync, bounds: IndexBounds): Pick<TeamIndex, 'put' | 'forget'> {
  const rows = rowsOf(database)
  const drop = (total: Size, id: number, bytes: number): void => {
    rows.drop(id)
    total.pages -= 1
    total.bytes -= bytes
  }
  const put = (page: IndexedPage, total: Size): void => {
    const body = plainText(page.markdown)
    const old = rows.find(page.url)
    if (old?.title === page.title && old.body === body) return rows.touch(old.id, page.at)
    if (old) drop(total, old.id, Buffer.byteLength(old.body))
    const bytes = Buffer.byteLength(body)
    rows.add(page, body, bytes)
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
      }),
    forget: (url) =>
      inOne(database, () => {
        const old = rows.find(url)
        if (old) rows.drop(old.id)
      }),
  }
}

/** Runs the work in a transaction. */
function inOne(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

type Row = {
  readonly url: string
  readonly title: string
  readonly body: string
  readonly at: number
}

function finding(database: DatabaseSync, { life }: IndexBounds): TeamIndex['find'] {
  const page = database.prepare('SELECT url, title, body, at FROM pages WHERE id = ?')
  const oldest = database.prepare('SELECT min(at) AS at FROM pages')
  const plain = database.prepare(`SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY ${weights} LIMIT ?`)
  const ask = (match: string | undefined, query: SearchQuery, now: number): readonly number[] => {
    if (match === undefined) return []
    // Filtering each row takes most of the time of a query for a common word.
    const first = oldest.get()?.['at']
    if (wantsAll(query) && typeof first === 'number' && first >= now - life)
      return plain.all(match, query.limit).map(({ id }) => id as number)
    const { where, values } = conditionsOf(query, now, life)
    const order = query.newestFirst ? 'pages.at DESC' : weights
    const from = 'words JOIN pages ON pages.id = words.rowid'
    const found = database
      .prepare(`SELECT pages.id AS id FROM ${from} WHERE words MATCH ? AND ${where} ORDER BY ${order} LIMIT ?`)
      .all(match, ...values, query.limit)
    return found.map(({ id }) => id as number)
  }
  return (query, now) => {
    const terms = readTerms(query.words)
    const ids = new Set(ask(matchOf(terms, 'all'), query, now))
    // Pages with all words come first, then pages with some of them.
    const isShort = ids.size < query.limit && terms.wanted.length > 1
    for (const id of isShort ? ask(matchOf(terms, 'any'), query, now) : []) if (ids.size < query.limit) ids.add(id)
    return [...ids].flatMap((id) => {
      const row = page.get(id) as Row | undefined
      return row ? [hitOf(row, terms)] : []
    })
  }
}

function hitOf({ url, title, body, at }: Row, terms: Terms): SearchHit {
  return {
    url,
    title: title === '' ? url : title,
    description: snippetOf(body, terms),
    date: new Date(at).toISOString(),
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
