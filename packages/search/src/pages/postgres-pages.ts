// Writes and deletes pages with their chunks in Postgres. The vectors of deleted chunks are deleted with them.
import type { Run } from './postgres-connection.ts'

/** The limits of the pages of a team. Older ones are deleted. */
export interface PageLimits {
  readonly pages: number
  readonly bytes: number
  /** In milliseconds. */
  readonly life: number
}

/** The tables of an index. */
export interface PageTables {
  readonly run: Run
  /** The quoted name. */
  readonly schema: string
  readonly hasVectors: boolean
}

/**
 * Writes pages of a team, each as JSON with its key, and replaces those with the same key. A page is never without its chunks.
 */
export async function writePages(
  { run, schema, hasVectors }: PageTables,
  team: string,
  pages: ReadonlyMap<string, string>,
): Promise<void> {
  await run(insertion(schema, hasVectors), [team, `[${[...pages.values()].join(',')}]`])
  // In a second statement, which also sees the chunks of another process that wrote the page at the same time.
  await run(
    `WITH gone AS (
       DELETE FROM ${schema}.chunks c USING ${schema}.pages p
       WHERE p.team = $1 AND p.key = ANY($2::text[]) AND c.page = p.id AND c.edition <> p.edition
       RETURNING c.id, c.team, c.hash
     ) ${hasVectors ? unusedVectors(schema) : ''} SELECT`,
    [team, [...pages.keys()]],
  )
}

function insertion(schema: string, hasVectors: boolean): string {
  const known = `SELECT FROM ${schema}.vectors v WHERE v.team = $1 AND v.hash = c.hash`
  const vector = (column: string, weight: string): string =>
    `setweight(to_tsvector('${schema}.words'::regconfig, ${column}), '${weight}')`
  return `
    WITH input AS (
      SELECT * FROM jsonb_to_recordset($2::jsonb) AS x (
        key text, url text, host text, path text, language text, at float8, version text, title text, markdown text, bytes int,
        title_words text, url_words text, body_words text, seams jsonb, chunks jsonb
      )
    ), saved AS (
      INSERT INTO ${schema}.pages AS p (team, key, url, host, path, language, at, bytes, title, markdown, version, words, seams)
      SELECT $1::text, key, url, host, path, language, at, bytes, title, markdown, version,
        ${vector('title_words', 'A')} || ${vector('url_words', 'B')} || ${vector('body_words', 'D')},
        (SELECT array_agg(to_tsvector('${schema}.words'::regconfig, seam)) FROM jsonb_array_elements_text(seams) AS seam)
      FROM input ORDER BY key
      ON CONFLICT (team, key) DO UPDATE SET
        language = excluded.language, at = greatest(p.at, excluded.at), bytes = excluded.bytes, title = excluded.title,
        markdown = excluded.markdown, version = excluded.version, words = excluded.words, seams = excluded.seams, edition = p.edition + 1
      RETURNING id, key, edition
    )
    INSERT INTO ${schema}.chunks (team, edition, page, chunk, "start", "end", headings, hash, pending, words)
    SELECT $1::text, saved.edition, saved.id, c.chunk, c.start, c."end", c.headings, c.hash, ${hasVectors ? `NOT EXISTS (${known})` : 'true'},
      ${vector('input.title_words', 'A')} || ${vector('c.heading_words', 'B')} || ${vector('c.body_words', 'D')}
    FROM saved JOIN input USING (key), jsonb_to_recordset(input.chunks) AS c (
      chunk text, start int, "end" int, hash text, headings jsonb, heading_words text, body_words text
    )`
}

/** Returns the part of a statement that deletes the vectors of the chunks in `gone` that no other chunk has. */
function unusedVectors(schema: string): string {
  return `, unused AS (
      DELETE FROM ${schema}.vectors v USING (SELECT DISTINCT team, hash FROM gone) AS old
      WHERE v.team = old.team AND v.hash = old.hash AND NOT EXISTS (
        SELECT FROM ${schema}.chunks c WHERE c.team = v.team AND c.hash = v.hash AND c.id NOT IN (SELECT id FROM gone)
      )
    )`
}

/** Deletes the pages that a query selects by their ids. Returns how many. */
async function deletePages(
  { run, schema, hasVectors }: PageTables,
  selected: string,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await run(
    `WITH deleted AS (
       DELETE FROM ${schema}.pages WHERE id IN (${selected}) RETURNING id
     ), gone AS (
       SELECT c.id, c.team, c.hash FROM ${schema}.chunks c JOIN deleted ON deleted.id = c.page
     ) ${hasVectors ? unusedVectors(schema) : ''} SELECT count(*) AS count FROM deleted`,
    values,
  )
  return Number(row?.['count'])
}

/** Deletes a page of a team, or all of them without a key. */
export async function forgetPages(tables: PageTables, team: string, key: string | undefined): Promise<void> {
  const { run, schema, hasVectors } = tables
  const selected = `SELECT id FROM ${schema}.pages WHERE team = $1`
  if (key !== undefined) return void (await deletePages(tables, `${selected} AND key = $2`, [team, key]))
  await deletePages(tables, selected, [team])
  if (!hasVectors) return
  await run(`DELETE FROM ${schema}.vectors WHERE team = $1`, [team])
  await run(`DELETE FROM ${schema}.models WHERE team = $1`, [team])
}

/** Deletes the oldest pages of a team beyond the limits. */
export async function trimPages(
  tables: PageTables,
  team: string,
  { now, pages, bytes, life }: PageLimits & { readonly now: number },
): Promise<void> {
  const { run, schema } = tables
  const values = [team, pages, bytes, now - life]
  const [size] = await run(
    `SELECT count(*) > $2::bigint OR sum(bytes) > $3::bigint OR min(at) < $4::float8 AS isover
     FROM ${schema}.pages WHERE team = $1`,
    values,
  )
  if (size?.['isover'] !== true) return
  const ranked = `SELECT id, at, row_number() OVER newest AS number, sum(bytes) OVER newest AS total
    FROM ${schema}.pages WHERE team = $1 WINDOW newest AS (ORDER BY at DESC, id DESC)`
  const selected = `SELECT id FROM (${ranked}) AS ranked WHERE number > $2::bigint OR total > $3::bigint OR at < $4::float8`
  await deletePages(tables, selected, values)
}

const sweptAtOnce = 1_000

/** Deletes all pages of all teams that have expired. */
export async function sweepPages(tables: PageTables, oldest: number): Promise<void> {
  const selected = `SELECT id FROM ${tables.schema}.pages WHERE at < $1::float8 LIMIT ${sweptAtOnce}`
  while ((await deletePages(tables, selected, [oldest])) > 0);
}
