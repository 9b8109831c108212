// The searches of one team in Postgres.
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { wantsAll, type Conditions } from './conditions.ts'
import type { ChunkRow, FindingRows, NearestTo, PageRow, PageSearch } from './finding.ts'
import { isUnfiltered } from './operators.ts'
import type { FoundChunk } from './vectors.ts'
import type { Rows, Run } from './postgres-connection.ts'
import { makeParameters, matchOf, termQueries, type Parameters } from './postgres-text.ts'
import { nearestFunction } from './postgres-vector-indexes.ts'
import type { VectorRows } from './postgres-vectors.ts'

interface SearchParts {
  readonly run: Run
  readonly schema: string
  readonly team: string
  /** Absent without the extension. */
  readonly vectors: VectorRows | undefined
}

// For the content, unused, the URL or the headings, and the title.
const weights = `'{0.12,0.12,0.25,1}'`

/** Opens the searches of a team. */
export function postgresRows({ run, schema, team, vectors }: SearchParts): FindingRows {
  const chunkColumns = 'c.id, c.page, c.chunk, c."start", c."end", c.headings'
  const chunks = `${schema}.chunks c JOIN ${schema}.pages pages ON pages.id = c.page AND pages.edition = c.edition`
  const byIds = (text: string, ids: readonly number[]): Promise<Rows> => run(text, [team, ids.map(String)])
  const tools: Tools = { run, schema, team }
  return {
    // Pages are cut when they are written.
    cut: async () => undefined,
    pageRows: async (ids) => {
      const columns = 'id, url, title, markdown, version, at'
      const text = `SELECT ${columns} FROM ${schema}.pages WHERE team = $1 AND id = ANY($2::bigint[])`
      // Cast: the columns of the statement.
      return new Map((await byIds(text, ids)).map((row) => [Number(row['id']), row as unknown as PageRow]))
    },
    chunkRows: async (ids) => {
      const text = `SELECT ${chunkColumns} FROM ${chunks} WHERE c.team = $1 AND c.id = ANY($2::bigint[])`
      return new Map((await byIds(text, ids)).map((row) => [Number(row['id']), chunkOf(row)]))
    },
    chunksOf: async (pages) => {
      const where = 'c.team = $1 AND c.page = ANY($2::bigint[])'
      return (await byIds(`SELECT ${chunkColumns} FROM ${chunks} WHERE ${where} ORDER BY c."start"`, pages)).map(
        chunkOf,
      )
    },
    pages: async (search) => {
      const ids = new Set(await ranked('pages', 'all', search, tools))
      const isShort = ids.size < search.limit && search.terms.loose.length > 1
      for (const id of isShort ? await ranked('pages', 'any', search, tools) : [])
        if (ids.size < search.limit) ids.add(id)
      return [...ids]
    },
    newest: async (search) => {
      const parameters = makeParameters()
      const where = conditionOf(search, { schema, team }, parameters)
      const limit = parameters.add(search.limit)
      const order = 'ORDER BY pages.at DESC, pages.id DESC'
      return idsOf(
        await run(
          `SELECT pages.id FROM ${schema}.pages pages WHERE ${where} ${order} LIMIT ${limit}`,
          parameters.values,
        ),
      )
    },
    passages: (search) => ranked('chunks', 'any', search, tools),
    nearest: (search, to, signal) => nearest(search, to, { ...tools, vectors }, signal),
  }
}

type Tools = Omit<SearchParts, 'vectors'>

/**
 * Returns the pages or chunks with all or any of the terms. Their rank is the sum of the ranks of the terms, of which rare ones
 * weigh more.
 */
async function ranked(
  table: 'pages' | 'chunks',
  how: 'all' | 'any',
  search: PageSearch,
  { run, schema, team }: Tools,
): Promise<readonly number[]> {
  const { terms, limit, query } = search
  const parameters = makeParameters()
  const where = conditionOf(search, { schema, team }, parameters)
  const queries = termQueries(how === 'all' ? terms.wanted : terms.loose, schema, parameters)
  const match = matchOf(queries, { table, schema, how })
  if (match === undefined) return []
  const own = parameters.add(team)
  const from =
    table === 'pages'
      ? `${schema}.pages pages`
      : `${schema}.pages pages JOIN ${schema}.chunks chunks ON chunks.page = pages.id AND chunks.edition = pages.edition`
  const rankOf = (wanted: string): string => `ts_rank(${weights}, ${table}.words, ${wanted}, 1)`
  // Postgres ranks a phrase 0 at positions that it does not store.
  const ofLongPage = `CASE WHEN pages.seams IS NOT NULL THEN ${rankOf('any_word')} END`
  const rank = table === 'pages' ? `greatest(${rankOf('query')}, ${ofLongPage})` : rankOf('query')
  const order = query.newestFirst && table === 'pages' ? 'at' : 'rank'
  const text = `
    WITH terms (query, any_word) AS (VALUES ${queries.map(({ query: one, anyWord = 'NULL::tsquery' }) => `(${one}, ${anyWord})`).join(', ')}),
    total AS (SELECT count(*)::float8 AS n FROM ${schema}.${table} WHERE team = ${own}),
    -- Otherwise the pages of each term are counted for each row.
    weighted AS MATERIALIZED (
      SELECT query, any_word, ln(1 + (n - least(c, n) + 0.5) / (c + 0.5)) AS weight FROM terms, total,
      LATERAL (SELECT count(*) AS c FROM ${schema}.${table} WHERE team = ${own} AND words @@ query) AS found
    )
    SELECT id FROM (
      SELECT ${table}.id, pages.at,
        (SELECT sum(weight * ${rank}) FROM weighted) AS rank
      FROM ${from} WHERE ${where} AND ${match}
    ) AS ranked ORDER BY ${order} DESC, id LIMIT ${parameters.add(limit)}`
  return idsOf(await run(text, parameters.values))
}

/** Returns the condition of a search on `pages`, with the team and without unwanted terms. */
function conditionOf(
  { conditions, terms }: PageSearch,
  { schema, team }: Pick<Tools, 'schema' | 'team'>,
  parameters: Parameters,
): string {
  const unwanted = matchOf(termQueries(terms.unwanted, schema, parameters), { table: 'pages', schema, how: 'any' })
  const own = `pages.team = ${parameters.add(team)} AND (${numbered(conditions, parameters)})`
  return unwanted === undefined ? own : `${own} AND NOT ${unwanted}`
}

/** Replaces the question marks of a condition by the numbers of its values. */
function numbered({ where, values }: Conditions, { add }: Parameters): string {
  let index = 0
  return where.replaceAll('?', () => {
    const value = values[index]
    index += 1
    return `${add(value)}::${typeof value === 'number' ? 'float8' : 'text'}`
  })
}

/**
 * Returns the nearest chunks. Compares all vectors of the team if it has no index, or if too few of the chunks that the index
 * finds match.
 */
async function nearest(
  search: PageSearch,
  to: NearestTo,
  { vectors, ...tools }: SearchParts,
  signal: AbortSignal,
): Promise<readonly FoundChunk[]> {
  const scan = vectors ? await untilAborted(vectors.scanFor(tools.team, to.vector), signal) : 'none'
  if (scan === 'none') return []
  const scanned = (how: 'exact' | 'index'): Promise<Rows> =>
    untilAborted(tools.run(...nearestStatement(how, search, to, tools)), signal)
  const isIndexed = scan === 'index' && (await untilAborted(hasFewFiltered(search, tools), signal))
  const indexed = isIndexed ? await scanned('index') : []
  const isComplete = indexed.length >= search.limit || isOpposite(indexed.at(-1))
  const rows = isComplete ? indexed : await scanned('exact')
  return rows.filter((row) => !isOpposite(row)).map(({ id, page }) => ({ id: Number(id), page: Number(page) }))
}

/** Returns whether at least half of the team's pages pass the filters of a search, so that the index probably finds enough of them. */
async function hasFewFiltered(search: PageSearch, { run, schema, team }: Tools): Promise<boolean> {
  const { query, filters, terms } = search
  if (terms.phrases.length > 0) return false
  if (wantsAll(query) && isUnfiltered(filters)) return true
  const parameters = makeParameters()
  const where = conditionOf(search, { schema, team }, parameters)
  const [row] = await run(
    `SELECT 2 * count(*) FILTER (WHERE ${where}) >= count(*) AS few FROM ${schema}.pages pages WHERE team = ${parameters.add(team)}`,
    parameters.values,
  )
  return row?.['few'] === true
}

/** Returns whether a chunk is not similar. The following ones are not similar either. */
function isOpposite(row: Rows[number] | undefined): boolean {
  return row !== undefined && Number(row['distance']) >= 0
}

/** Returns the statement with its values that finds the nearest chunks with their distances, of all vectors or by the index. */
function nearestStatement(
  how: 'exact' | 'index',
  search: PageSearch,
  { vector: { vector }, scope }: NearestTo,
  { schema, team }: Pick<Tools, 'schema' | 'team'>,
): [string, unknown[]] {
  const parameters = makeParameters()
  const where = conditionOf(search, { schema, team }, parameters)
  const table = scope === 'page' ? 'pages' : 'chunks'
  const phrases = matchOf(termQueries(search.terms.phrases, schema, parameters), { table, schema, how: 'all' })
  const phrased = phrases === undefined ? '' : `AND ${phrases}`
  const query = `${parameters.add(JSON.stringify([...vector]))}::halfvec`
  const own = parameters.add(team)
  const limit = parameters.add(search.limit)
  // Twice as many, because some may be filtered.
  const near =
    how === 'index'
      ? `${nearestFunction(schema)}(${own}, ${query}, 2 * ${limit}::int)`
      : `(SELECT hash, vector <#> ${query} AS distance FROM ${schema}.vectors WHERE team = ${own})`
  const text = `
    SELECT chunks.id, chunks.page, near.distance FROM ${near} AS near
    JOIN ${schema}.chunks chunks ON chunks.team = ${own} AND chunks.hash = near.hash
    JOIN ${schema}.pages pages ON pages.id = chunks.page AND pages.edition = chunks.edition
    WHERE ${where} ${phrased} ORDER BY near.distance, chunks.id LIMIT ${limit}`
  return [text, parameters.values]
}

function idsOf(rows: Rows): readonly number[] {
  return rows.map(({ id }) => Number(id))
}

function chunkOf(row: Rows[number]): ChunkRow {
  // Cast: the columns of the statements above.
  return { ...(row as unknown as ChunkRow), id: Number(row['id']), page: Number(row['page']) }
}
