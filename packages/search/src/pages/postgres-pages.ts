// Writes pages with their chunks to Postgres.
import { hash } from 'node:crypto'

import { cutPage } from './cut.ts'
import { decodedPath } from './operators.ts'
import type { IndexedPage } from './rows.ts'
import { plainText } from './snippet.ts'
import type { Run } from './postgres-connection.ts'
import { searchText, storable } from './postgres-text.ts'

/** The limits of the pages of a team. Older ones are deleted. */
export interface PageLimits {
  readonly pages: number
  readonly bytes: number
  /** In milliseconds. */
  readonly life: number
}

/** Writes pages of a team, and replaces those with the same URL. Rejects when aborted, and when Postgres fails. */
export async function writePages(
  run: Run,
  { schema, team, hasVectors }: { readonly schema: string; readonly team: string; readonly hasVectors: boolean },
  pages: readonly IndexedPage[],
  signal: AbortSignal,
): Promise<void> {
  const unique = [...new Map(pages.map((page) => [page.url, page])).values()]
  const rows: object[] = []
  for (const page of unique) rows.push(await rowOf(page, signal))
  await run(insertion(schema, hasVectors), [team, JSON.stringify(rows)])
}

/** Hashes a URL, because an index cannot have long strings. */
export function urlKey(url: string): string {
  return hash('sha256', url, 'base64')
}

async function rowOf(page: IndexedPage, signal: AbortSignal): Promise<object> {
  const { url, language, version, at } = page
  const { hostname, host, pathname } = new URL(url)
  const [title, markdown, path] = [page.title, page.markdown, decodedPath(pathname)].map(storable) as [
    string,
    string,
    string,
  ]
  const chunks = await cutPage(markdown, signal)
  return {
    ...{ key: urlKey(url), url, host: hostname, path, language, at, version, title, markdown },
    bytes: Buffer.byteLength(markdown),
    title_words: searchText(title),
    url_words: searchText(host + path),
    body_words: searchText(plainText(markdown)),
    chunks: chunks.map(({ id, headings, start, end, hash }) => ({
      ...{ chunk: id, start, end, hash, headings },
      heading_words: searchText(headings.join('\n')),
      body_words: searchText(plainText(markdown.slice(start, end))),
    })),
  }
}

/** One statement, so that a page is never without its chunks. */
function insertion(schema: string, hasVectors: boolean): string {
  const known = `SELECT FROM ${schema}.vectors v WHERE v.team = $1 AND v.hash = c.hash`
  const vector = (column: string, weight: string): string =>
    `setweight(to_tsvector('${schema}.words'::regconfig, ${column}), '${weight}')`
  return `
    WITH input AS (
      SELECT * FROM jsonb_to_recordset($2::jsonb) AS x (
        key text, url text, host text, path text, language text, at float8, version text, title text, markdown text, bytes int,
        title_words text, url_words text, body_words text, chunks jsonb
      )
    ), saved AS (
      INSERT INTO ${schema}.pages AS p (team, key, url, host, path, language, at, bytes, title, markdown, version, words)
      SELECT $1::text, key, url, host, path, language, at, bytes, title, markdown, version,
        ${vector('title_words', 'A')} || ${vector('url_words', 'B')} || ${vector('body_words', 'D')}
      FROM input ORDER BY key
      ON CONFLICT (team, key) DO UPDATE SET
        language = excluded.language, at = greatest(p.at, excluded.at), bytes = excluded.bytes, title = excluded.title,
        markdown = excluded.markdown, version = excluded.version, words = excluded.words, edition = p.edition + 1
      RETURNING id, key, edition
    ), stale AS (
      DELETE FROM ${schema}.chunks c USING saved WHERE c.page = saved.id
    )
    INSERT INTO ${schema}.chunks (team, edition, page, chunk, "start", "end", headings, hash, pending, words)
    SELECT $1::text, saved.edition, saved.id, c.chunk, c.start, c."end", c.headings, c.hash, ${hasVectors ? `NOT EXISTS (${known})` : 'true'},
      ${vector('input.title_words', 'A')} || ${vector('c.heading_words', 'B')} || ${vector('c.body_words', 'D')}
    FROM saved JOIN input USING (key), jsonb_to_recordset(input.chunks) AS c (
      chunk text, start int, "end" int, hash text, headings jsonb, heading_words text, body_words text
    )`
}

/** Deletes the oldest pages of a team beyond the limits, and chunks of earlier editions. Returns whether there were any. */
export async function trimPages(
  run: Run,
  schema: string,
  { team, now, pages, bytes, life }: PageLimits & { readonly team: string; readonly now: number },
): Promise<boolean> {
  const gone = await run(
    `WITH ranked AS (
       SELECT id, at, row_number() OVER newest AS number, sum(bytes) OVER newest AS total
       FROM ${schema}.pages WHERE team = $1 WINDOW newest AS (ORDER BY at DESC, id DESC)
     )
     DELETE FROM ${schema}.pages WHERE id IN (
       SELECT id FROM ranked WHERE number > $2::bigint OR total > $3::bigint OR at < $4::float8
     ) RETURNING id`,
    [team, pages, bytes, now - life],
  )
  const stale = await run(
    `DELETE FROM ${schema}.chunks c USING ${schema}.pages p
     WHERE c.team = $1 AND p.id = c.page AND c.edition <> p.edition RETURNING c.id`,
    [team],
  )
  return gone.length + stale.length > 0
}

const sweptAtOnce = 1_000

/** Deletes some pages of all teams that have expired. */
export async function sweepPages(run: Run, schema: string, oldest: number): Promise<void> {
  await run(
    `DELETE FROM ${schema}.pages WHERE id IN (SELECT id FROM ${schema}.pages WHERE at < $1::float8 LIMIT ${sweptAtOnce})`,
    [oldest],
  )
}
