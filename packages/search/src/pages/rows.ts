// The rows of pages and their chunks. Each is in a table with its data and in a full-text index with its words.
import type { DatabaseSync } from 'node:sqlite'

import type { PageChunk } from './cut.ts'
import { decodedPath } from './operators.ts'
import { plainText } from './snippet.ts'
import { separateWords } from './words.ts'

/** A page to add to the index. */
export interface IndexedPage {
  readonly url: string
  readonly title: string
  readonly markdown: string
  /** Language code of the page, two or three characters in lower case. Empty if it is unknown. */
  readonly language: string
  /** SHA-256 of the whole Markdown of the page, which may be longer than `markdown`. */
  readonly version: string
  /** Time of scraping, in milliseconds since 1970. */
  readonly at: number
}

/** A page without chunks in the index. */
export interface UncutPage {
  readonly id: number
  readonly title: string
  readonly markdown: string
}

export const pageTables = `
  CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host TEXT NOT NULL, path TEXT NOT NULL, language TEXT NOT NULL,
    at INTEGER NOT NULL, bytes INTEGER NOT NULL, title TEXT NOT NULL, markdown TEXT NOT NULL, version TEXT NOT NULL,
    cut INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- With the bytes in it, how much there is can be summed up without reading any page.
  CREATE INDEX IF NOT EXISTS pages_by_age ON pages (at, bytes);
  CREATE INDEX IF NOT EXISTS pages_uncut ON pages (id) WHERE cut = 0;
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    title, url, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TABLE IF NOT EXISTS chunks (
    id INTEGER PRIMARY KEY, page INTEGER NOT NULL, chunk TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    headings TEXT NOT NULL, hash TEXT NOT NULL, pending INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS chunks_by_page ON chunks (page);
  CREATE INDEX IF NOT EXISTS chunks_by_hash ON chunks (hash);
  CREATE INDEX IF NOT EXISTS chunks_pending ON chunks (hash) WHERE pending = 1;
  CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5 (
    title, headings, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
`

/** Number and total text size of the pages. */
export type Size = {
  pages: number
  bytes: number
}

/** Prepared statements for the rows of pages. */
export function rowsOf(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text)
  const known = sql('SELECT id, title, markdown FROM pages WHERE url = ?')
  const touch = sql('UPDATE pages SET at = max(at, ?), version = ? WHERE id = ?')
  const addPage = sql(
    'INSERT INTO pages (url, host, path, language, at, bytes, title, markdown, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const addWords = sql('INSERT INTO words (rowid, title, url, body) VALUES (?, ?, ?, ?)')
  const dropPage = sql('DELETE FROM pages WHERE id = ?')
  const dropWords = sql('DELETE FROM words WHERE rowid = ?')
  const size = sql('SELECT count(*) AS pages, coalesce(sum(bytes), 0) AS bytes FROM pages')
  const oldest = sql('SELECT id, at, bytes FROM pages ORDER BY at, id LIMIT ?')
  const uncut = sql('SELECT id, title, markdown FROM pages WHERE id = ? AND cut = 0')
  const allUncut = sql('SELECT id FROM pages WHERE cut = 0 LIMIT ?')
  const setCut = sql('UPDATE pages SET cut = 1 WHERE id = ? AND markdown = ? AND cut = 0')
  const chunks = chunkRowsOf(database)
  return {
    size: () => size.get() as Size,
    oldest: (most: number) => oldest.all(most) as { id: number; at: number; bytes: number }[],
    find: (url: string) => known.get(url) as { id: number; title: string; markdown: string } | undefined,
    touch: (id: number, { at, version }: IndexedPage) => void touch.run(at, version, id),
    add: (page: IndexedPage, bytes: number) => {
      const { url, title, markdown, language, version, at } = page
      const { hostname, host, pathname } = new URL(url)
      const path = decodedPath(pathname)
      const { lastInsertRowid } = addPage.run(url, hostname, path, language, at, bytes, title, markdown, version)
      const id = Number(lastInsertRowid)
      const body = plainText(markdown)
      addWords.run(id, separateWords(title), separateWords(host + path), separateWords(body))
    },
    drop: (id: number) => {
      chunks.drop(id)
      dropWords.run(id)
      dropPage.run(id)
    },
    dropUnusedVectors: chunks.dropUnusedVectors,
    uncut: (id: number) => uncut.get(id) as UncutPage | undefined,
    allUncut: (most: number) => allUncut.all(most).map(({ id }) => id as number),
    /** Adds the chunks of a page, unless another process has added them or changed the page. */
    addChunks: ({ id, title, markdown }: UncutPage, parts: readonly PageChunk[]) => {
      if (setCut.run(id, markdown).changes === 0) return
      for (const chunk of parts) chunks.add(id, title, chunk, markdown)
    },
  }
}

function chunkRowsOf(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text)
  const add = sql(
    `INSERT INTO chunks (page, chunk, start, end, headings, hash, pending)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, NOT EXISTS (SELECT 1 FROM vectors WHERE hash = ?6))`,
  )
  const addWords = sql('INSERT INTO passages (rowid, title, headings, body) VALUES (?, ?, ?, ?)')
  const ofPage = sql('SELECT id, hash FROM chunks WHERE page = ?')
  const dropOf = sql('DELETE FROM chunks WHERE page = ?')
  const dropWords = sql('DELETE FROM passages WHERE rowid = ?')
  const dropVector = sql(
    'DELETE FROM vectors WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.hash = ?1)',
  )
  // A new version of a page usually has most chunks of the old one, so their vectors are dropped after it was added.
  const dropped = new Set<string>()
  return {
    add: (page: number, title: string, { id, headings, start, end, hash }: PageChunk, markdown: string) => {
      const { lastInsertRowid } = add.run(page, id, start, end, JSON.stringify(headings), hash)
      const words = [title, headings.join('\n'), plainText(markdown.slice(start, end))].map(separateWords)
      addWords.run(lastInsertRowid, ...words)
    },
    drop: (page: number) => {
      for (const { id, hash } of ofPage.all(page)) {
        dropWords.run(id as number)
        dropped.add(hash as string)
      }
      dropOf.run(page)
    },
    dropUnusedVectors: () => {
      for (const hash of dropped) dropVector.run(hash)
      dropped.clear()
    },
  }
}
