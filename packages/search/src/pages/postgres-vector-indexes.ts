// The HNSW indexes of teams with many vectors. Each covers the vectors of one team, so that searches lose no results to other
// teams, and writes of other teams cost nothing.
import { hash } from 'node:crypto'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeSequence } from '@harvestman/toolbox/sequence'

import { runnerOf, type PostgresQueries, type Run } from './postgres-connection.ts'
import { canSpareConnection, runLocked } from './postgres-lock.ts'

/** Number of vectors of a team from which on it gets an index. */
export const indexedFrom = 10_000
/** Maximum number of dimensions that HNSW supports for `halfvec`. */
const maxDimensions = 4_000
/** Maximum number of indexes in a schema, because each one costs some time when a statement is planned. */
const maxIndexes = 50
/** In milliseconds. */
const times = { untilNextCheck: 3_600_000, whileLocked: 300_000 }

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
 * Creates the indexes of teams. They are built on a connection of their own, without blocking writes, and one at a time in a
 * schema, because concurrent builds wait for each other. If another process builds or drops one, the next attempt is 5 minutes
 * later. None is built if the connection is not a pool of at least 2 connections, or if there is no function `nearest_vectors`. A
 * failure is a warning, and the next attempt is an hour later.
 */
export function makeVectorIndexes({ connection, schema, from, warn }: VectorIndexesOptions): VectorIndexes {
  const stop = new AbortController()
  const run = runnerOf(connection, stop.signal)
  const sequence = makeSequence()
  const checkedUntil = recentlyUsed<string, number>(1_000)
  let sweptUntil = -Infinity
  const lock = { connection, name: `harvestman search indexes ${schema}`, signal: stop.signal }
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
    if (!(await planOf(team, run, schema))) return
    // Another process may have built it since.
    const hasRun = await runLocked(lock, async (change) => {
      const plan = await planOf(team, change, schema)
      if (plan) await buildIndex(plan, team, change, schema)
    })
    if (!hasRun) checkedUntil.set(team, performance.now() + times.whileLocked)
  }
  const sweep = async (): Promise<void> => {
    const atLeast = Math.floor(from / 2)
    if ((await unusedIndexes(run, schema, atLeast)).length === 0) return
    const hasRun = await runLocked(lock, async (change) => {
      for (const name of await unusedIndexes(change, schema, atLeast)) await change(dropOf(schema, name))
    })
    if (!hasRun) sweptUntil = performance.now() + times.whileLocked
  }
  return {
    maintain: (team, vectors) => {
      if (!canSpareConnection(connection)) return
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
    `SELECT m.dimensions, i.indisvalid, ${hasFunction(schema)} AS able,
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

async function buildIndex({ name, dimensions, isBroken }: IndexPlan, team: string, run: Run, schema: string) {
  if (isBroken) await run(dropOf(schema, name))
  await run(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${schema}.vectors
    USING hnsw ((vector::halfvec(${dimensions})) halfvec_ip_ops)
    WHERE team = '${team.replaceAll("'", "''")}' AND vector_dims(vector) = ${dimensions}`)
}

function dropOf(schema: string, name: string): string {
  return `DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`
}

/** The beginning of the names of a team's indexes. The number of dimensions follows. */
function nameStart(team: string): string {
  return `nearest_${hash('sha256', team).slice(0, 32)}_`
}

/** Returns an expression for whether a team's index for `dimensions`, a column, can be used. */
export function hasIndex(schema: string, team: string, dimensions: string): string {
  const name = `to_regclass('${schema}.${nameStart(team)}' || ${dimensions})`
  return `(${hasFunction(schema)} AND EXISTS (SELECT FROM pg_index WHERE indexrelid = ${name} AND indisvalid))`
}

/** Returns the name of the function that searches by an index. Its number is raised when the function changes. */
export function nearestFunction(schema: string): string {
  return `${schema}.nearest_vectors_1`
}

function hasFunction(schema: string): string {
  return `to_regproc('${nearestFunction(schema)}') IS NOT NULL`
}

/**
 * Creates the function that searches by an index, if it is missing and pgvector is 0.8 or newer. It returns the nearest vectors of
 * a team by its index. Its settings end with each call. A failure is a warning, and then there are no indexes, because the user may
 * only have permissions for the tables.
 */
export async function createNearestFunction(run: Run, schema: string, warn: (message: string) => void): Promise<void> {
  await run(functionStatement(schema)).catch((error: unknown) =>
    warn(
      `The function ${nearestFunction(schema)} could not be created in Postgres, so there are no HNSW indexes, and searches may be slower. Grant CREATE on the schema. (${errorMessage(error).slice(0, 200)})`,
    ),
  )
}

function functionStatement(schema: string): string {
  const version = `(SELECT string_to_array(substring(extversion from '^[0-9.]+'), '.')::int[] FROM pg_extension WHERE extname = 'vector')`
  return `
    DO $setup$ BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('harvestman search ${schema}'));
      IF NOT (${hasFunction(schema)}) AND ${version} >= '{0,8}' THEN
        -- Loads the extension, without which its settings need the rights of a superuser.
        PERFORM '[1]'::halfvec;
        CREATE FUNCTION ${nearestFunction(schema)}(team text, query halfvec, wanted int)
        RETURNS TABLE (hash text, distance float8) LANGUAGE plpgsql STABLE ROWS 400
        SET hnsw.iterative_scan = strict_order SET hnsw.ef_search = 200 SET enable_sort = off AS $function$ BEGIN
          RETURN QUERY EXECUTE format(
            'SELECT v.hash, v.vector::halfvec(%1$s) <#> $1 FROM ${schema}.vectors v
             WHERE v.team = %2$L AND vector_dims(v.vector) = %1$s ORDER BY v.vector::halfvec(%1$s) <#> $1 LIMIT $2',
            vector_dims(query), team
          ) USING query, wanted;
        END $function$;
      END IF;
    END $setup$`
}
