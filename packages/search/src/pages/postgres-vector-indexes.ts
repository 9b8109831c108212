// The HNSW indexes of teams with many vectors. Each covers the vectors of one team, so that searches lose no results to other
// teams, and writes of other teams cost nothing.
import { hash } from 'node:crypto'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { inTime, runnerOf, type PostgresQueries, type Run } from './postgres-connection.ts'

/** Number of vectors of a team from which on it gets an index. */
export const indexedFrom = 10_000
/** Maximum number of dimensions that HNSW supports for `halfvec`. */
const maxDimensions = 4_000
/** Maximum number of indexes in a schema, because each one costs some time when a statement is planned. */
const maxIndexes = 50
/** In milliseconds. */
const times = { build: 3_600_000, untilNextCheck: 3_600_000 }

export interface VectorIndexes {
  /** Builds the index of a team in the background if it has enough vectors for one, and drops the indexes that no team needs. */
  maintain(team: string, vectors: number): void
  /** Stops waiting for a build, which Postgres may complete. */
  close(): Promise<void>
}

export interface VectorIndexesOptions {
  readonly connection: PostgresQueries
  /** The quoted name of the schema. */
  readonly schema: string
  /** Number of vectors of a team from which on it gets an index. */
  readonly from: number
  warn(message: string): void
}

/**
 * Creates the indexes of teams. They are built on a connection of their own, without blocking writes and one at a time. There
 * are none if the connection is not a pool, or if pgvector is older than 0.8. A failure is a warning, and the next attempt is an
 * hour later.
 */
export function makeVectorIndexes({ connection, schema, from, warn }: VectorIndexesOptions): VectorIndexes {
  const stop = new AbortController()
  const run = runnerOf(connection, stop.signal)
  const sequence = makeSequence()
  const checkedUntil = recentlyUsed<string, number>(1_000)
  let sweptUntil = -Infinity
  const change = (text: string): Promise<void> => runAlone(connection, text, stop.signal)
  const later = (work: () => Promise<void>): void => {
    const attempt = async (): Promise<void> => {
      if (stop.signal.aborted) return
      await work().catch((error: unknown) => {
        const reason = errorMessage(error).slice(0, 200)
        if (!stop.signal.aborted)
          warn(`An HNSW index in Postgres could not be built or dropped, so searches may be slower. (${reason})`)
      })
    }
    void sequence.run(attempt)
  }
  const build = async (team: string): Promise<void> => {
    const plan = await planOf(team, run, schema)
    if (!plan) return
    const { name, dimensions, isBroken } = plan
    if (isBroken) await change(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`)
    await change(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${schema}.vectors
      USING hnsw ((vector::halfvec(${dimensions})) halfvec_ip_ops)
      WHERE team = '${team.replaceAll("'", "''")}' AND vector_dims(vector) = ${dimensions}`)
  }
  const sweep = async (): Promise<void> => {
    for (const name of await unusedIndexes(run, schema, Math.floor(from / 2)))
      await change(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`)
  }
  return {
    maintain: (team, vectors) => {
      if (!connection.connect) return
      const now = performance.now()
      if (sweptUntil < now) {
        sweptUntil = now + times.untilNextCheck
        later(sweep)
      }
      if (vectors < from || (checkedUntil.get(team) ?? 0) > now) return
      checkedUntil.set(team, now + times.untilNextCheck)
      later(() => build(team))
    },
    close: async () => {
      stop.abort()
      await sequence.idle()
    },
  }
}

/** A connection of a pool. */
interface PoolClient {
  query(statement: { readonly text: string; readonly query_timeout: number }): Promise<unknown>
  release(isDestroyed: boolean): void
  on?(event: 'error', listener: () => void): unknown
}

function isPoolClient(value: unknown): value is PoolClient {
  if (typeof value !== 'object' || value === null || !('query' in value) || !('release' in value)) return false
  return typeof value.query === 'function' && typeof value.release === 'function'
}

/** Runs a statement that may take an hour on a connection of its own, which is ended afterwards because of its settings. */
async function runAlone(connection: PostgresQueries, statement: string, signal: AbortSignal): Promise<void> {
  const client = await takeClient(connection, signal)
  // The statement rejects if the connection is lost.
  client.on?.('error', () => undefined)
  try {
    for (const text of [`SET statement_timeout = ${times.build}`, 'SET lock_timeout = 0', statement])
      await untilAborted(client.query({ text, query_timeout: times.build }), signal)
  } finally {
    client.release(true)
  }
}

/** Takes a connection from the pool. Rejects after 30 seconds, and when the signal is aborted. */
async function takeClient(connection: PostgresQueries, signal: AbortSignal): Promise<PoolClient> {
  const taken = Promise.resolve(connection.connect?.())
  try {
    const client = await inTime(taken, signal)
    if (isPoolClient(client)) return client
  } catch (error) {
    void taken.then((late) => isPoolClient(late) && late.release(true)).catch(() => undefined)
    throw error
  }
  throw new TypeError('The connection is not a pool. Pass a pool of the package pg.')
}

/** Returns the names of indexes whose team has another model, or fewer vectors than `atLeast`. */
async function unusedIndexes(run: Run, schema: string, atLeast: number): Promise<readonly string[]> {
  const name = `'nearest_' || left(encode(sha256(convert_to(m.team, 'UTF8')), 'hex'), 32) || '_' || m.dimensions`
  const rows = await run(
    `SELECT relname FROM pg_class WHERE ${isIndexOf(schema)} AND NOT EXISTS (
       SELECT FROM ${schema}.models m WHERE relname = ${name}
       AND EXISTS (SELECT FROM ${schema}.vectors v WHERE v.team = m.team OFFSET $1::int)
     )`,
    [Math.max(0, atLeast - 1)],
  )
  return rows.map(({ relname }) => String(relname))
}

/** Returns the condition on `pg_class` for the indexes of all teams. */
function isIndexOf(schema: string): string {
  return `relnamespace = to_regnamespace('${schema}') AND relkind = 'i' AND starts_with(relname, 'nearest_')`
}

interface IndexPlan {
  readonly name: string
  readonly dimensions: number
  /** Whether an earlier build has failed and left an index that is not used. */
  readonly isBroken: boolean
}

/** Returns the index that a team needs, or `undefined` if it is built, is being built, or is not possible. */
async function planOf(team: string, run: Run, schema: string): Promise<IndexPlan | undefined> {
  const [row] = await run(
    `SELECT m.dimensions, i.indisvalid, to_regproc('${schema}.nearest_vectors') IS NOT NULL AS able,
       EXISTS (SELECT FROM pg_stat_progress_create_index WHERE index_relid = i.indexrelid) AS building,
       (SELECT count(*) FROM pg_class WHERE ${isIndexOf(schema)}) AS count
     FROM ${schema}.models m LEFT JOIN pg_index i ON i.indexrelid = to_regclass('${schema}.${nameStart(team)}' || m.dimensions)
     WHERE m.team = $1`,
    [team],
  )
  const dimensions = Number(row?.['dimensions'] ?? 0)
  if (dimensions < 1 || dimensions > maxDimensions || row?.['able'] !== true) return undefined
  const isBroken = row['indisvalid'] === false
  if (row['indisvalid'] === true || row['building'] === true) return undefined
  if (!isBroken && Number(row['count']) >= maxIndexes) return undefined
  return { name: `${nameStart(team)}${dimensions}`, dimensions, isBroken }
}

/** The beginning of the names of a team's indexes. The number of dimensions follows. */
function nameStart(team: string): string {
  return `nearest_${hash('sha256', team).slice(0, 32)}_`
}

/** Returns an expression for whether a team's index for `dimensions`, a column, can be used. */
export function hasIndex(schema: string, team: string, dimensions: string): string {
  const name = `to_regclass('${schema}.${nameStart(team)}' || ${dimensions})`
  return `EXISTS (SELECT FROM pg_index WHERE indexrelid = ${name} AND indisvalid)`
}

/**
 * Returns statements for a function block that create the function `nearest_vectors`, if it is missing and pgvector is 0.8 or
 * newer. It returns the nearest vectors of a team by its index. Its settings end with each call.
 */
export function nearestFunction(schema: string): string {
  const version = `(SELECT string_to_array(substring(extversion from '^[0-9.]+'), '.')::int[] FROM pg_extension WHERE extname = 'vector')`
  return `
    IF to_regproc('${schema}.nearest_vectors') IS NULL AND ${version} >= '{0,8}' THEN
      -- Loads the extension, without which its settings need the rights of a superuser.
      PERFORM '[1]'::halfvec;
      CREATE FUNCTION ${schema}.nearest_vectors(team text, query halfvec, wanted int)
      RETURNS TABLE (hash text, distance float8) LANGUAGE plpgsql STABLE ROWS 400
      SET hnsw.iterative_scan = strict_order SET hnsw.ef_search = 200 SET enable_sort = off AS $function$ BEGIN
        RETURN QUERY EXECUTE format(
          'SELECT v.hash, v.vector::halfvec(%1$s) <#> $1 FROM ${schema}.vectors v
           WHERE v.team = %2$L AND vector_dims(v.vector) = %1$s ORDER BY v.vector::halfvec(%1$s) <#> $1 LIMIT $2',
          vector_dims(query), team
        ) USING query, wanted;
      END $function$;
    END IF;`
}
