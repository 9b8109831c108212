// The index of pages in Postgres, which several servers share.
import { hash } from 'node:crypto'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { searchUnavailable } from '../faults.ts'
import type { IndexBackend } from './backend.ts'
import { findingIn, type Finding } from './finding.ts'
import type { IndexedPage } from './rows.ts'
import { inTime, runnerOf, vectorProblem, type PostgresQueries } from './postgres-connection.ts'
import { forgetPages, sweepPages, trimPages, writePages, type PageLimits, type PageTables } from './postgres-pages.ts'
import { makePostgresQueue } from './postgres-queue.ts'
import { urlKey } from './postgres-rows.ts'
import { postgresRows } from './postgres-search.ts'
import { hasVectorTables, setUp } from './postgres-tables.ts'
import { createNearestFunction, indexedFrom, makeVectorIndexes, type VectorIndexes } from './postgres-vector-indexes.ts'
import { vectorRows, type VectorRows } from './postgres-vectors.ts'
import { makeIndexThread, type IndexThread } from './thread.ts'

export interface PostgresOptions extends PageLimits {
  readonly connection: PostgresQueries
  /** Name of the schema. */
  readonly schema: string
  /** Maximum number of vectors per team. */
  readonly vectors: number
  /** Whether there is an embedding model. */
  readonly isHybrid: boolean
  /** Number of vectors of a team from which on it gets an HNSW index. Default: 10,000. */
  readonly indexedFrom?: number
  now(): number
  warn(message: string): void
}

/** In milliseconds. */
const times = { closing: 10_000, sweep: 3_600_000, behind: 5_000 }

/**
 * Creates an index in Postgres. Its tables are created when they are first needed. Without the extension `vector` (pgvector),
 * pages are found by their words only, with a warning. Calls reject with `search_unavailable` if Postgres fails, or does not answer
 * a statement within 30 seconds. A search waits for at most 5 seconds
 * until the pages before it are written, and `close` for 10. The text of pages is processed in the index thread.
 */
export function postgresBackend(options: PostgresOptions): IndexBackend {
  const { connection, pages, bytes, life, vectors: limit, warn } = options
  const schema = quoted(options.schema)
  const run = runnerOf(connection)
  const stop = new AbortController()
  const thread = makeIndexThread({ folder: undefined, teams: 1, pages, bytes, life, vectors: limit }, warn)
  const from = options.indexedFrom ?? indexedFrom
  const indexes = makeVectorIndexes({ connection, schema, from, warn })
  const open = makeOpening(options, indexes)
  const { write, swept } = makeWriter(options, { open, thread, signal: stop.signal })
  const queue = makePostgresQueue({ write, warn, signal: stop.signal })
  const ready = async (team: string, signal: AbortSignal): Promise<Opened> => {
    // Without the pages that Postgres has not taken in this time.
    await inTime(queue.written(team), signal, times.behind).catch(() => signal.throwIfAborted())
    return untilAborted(open(), signal)
  }
  const search = async (team: string, signal: AbortSignal): Promise<Finding> => {
    const { vectors } = await ready(team, signal)
    const rows = postgresRows({ run: runnerOf(connection, signal), schema, team: keyOf(team), vectors })
    return findingIn(rows, life, (found, terms) => thread.hits(found, terms, signal))
  }
  return {
    put: queue.put,
    find: async (asked, signal) => untilAborted((await search(asked.query.team, signal)).find(asked, signal), signal),
    passages: async (asked, signal) =>
      untilAborted((await search(asked.query.team, signal)).passages(asked, signal), signal),
    pending: async (wanted, signal) => {
      const { vectors } = await ready(wanted.team, signal)
      return (await vectors?.pending({ ...wanted, team: keyOf(wanted.team) })) ?? []
    },
    store: async (vectors) => (await open()).vectors?.store({ ...vectors, team: keyOf(vectors.team) }),
    forget: async ({ team, url }) => {
      await inTime(queue.written(team))
      await open()
      // Another process may have created the tables since.
      const hasVectors = await hasVectorTables(run, schema)
      await forgetPages({ run, schema, hasVectors }, keyOf(team), url === undefined ? undefined : urlKey(url))
    },
    close: async () => {
      const late = searchUnavailable('server', 'The index was closed before Postgres had taken all pages.')
      const timer = setTimeout(() => stop.abort(late), times.closing)
      await queue.written()
      await swept()
      clearTimeout(timer)
      await Promise.all([thread.close(), indexes.close()])
    },
  }
}

/** Hashes the name of a team, which may have characters that Postgres cannot store. */
function keyOf(team: string): string {
  return hash('sha256', team, 'base64')
}

/** Quotes the name of a schema, which may be a reserved word. Throws if it is not plain. */
function quoted(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,50}$/.test(schema)) return `"${schema}"`
  throw new TypeError(
    `postgres.schema ${JSON.stringify(schema)} is not a valid name. Use lowercase letters, digits and underscores.`,
  )
}

interface Opened {
  /** Absent without a model, and without the extension. */
  readonly vectors: VectorRows | undefined
  /** Whether there are vectors, also of other processes. */
  readonly hasVectors: boolean
}

/** Returns a function that creates the tables with its first call. If that failed, the next call tries again. */
function makeOpening(
  { connection, isHybrid, warn, vectors: limit, ...options }: PostgresOptions,
  indexes: VectorIndexes,
): () => Promise<Opened> {
  const schema = quoted(options.schema)
  const run = runnerOf(connection)
  const setUpTables = async (): Promise<Opened> => {
    const problem = isHybrid ? await vectorProblem(run) : undefined
    if (problem !== undefined) warn(problem)
    const isEmbedded = isHybrid && problem === undefined
    await run(setUp(schema, isEmbedded))
    if (isEmbedded) await createNearestFunction(run, schema, warn)
    const vectors = isEmbedded ? vectorRows(run, schema, limit, indexes) : undefined
    return { vectors, hasVectors: await hasVectorTables(run, schema) }
  }
  let opening: Promise<Opened> | undefined
  return async () => {
    opening ??= setUpTables()
    try {
      return await opening
    } catch (error) {
      opening = undefined
      throw error
    }
  }
}

interface WriterParts {
  open(): Promise<Opened>
  readonly thread: IndexThread
  readonly signal: AbortSignal
}

/** Creates the function that writes pages of a team, which now and then deletes the expired pages of all teams. */
function makeWriter(options: PostgresOptions, { open, thread, signal }: WriterParts) {
  const { connection, now, warn, life } = options
  const run = runnerOf(connection, signal)
  const schema = quoted(options.schema)
  let sweptAt = -Infinity
  let sweeping = Promise.resolve()
  const sweep = async (tables: PageTables): Promise<void> => {
    sweptAt = now()
    await sweepPages(tables, now() - life).catch((error: unknown) =>
      warn(`Expired pages could not be deleted from the index: ${errorMessage(error)}`),
    )
  }
  return {
    write: async (name: string, pages: readonly IndexedPage[]): Promise<void> => {
      const { hasVectors } = await inTime(open(), signal)
      const tables = { run, schema, hasVectors }
      const team = keyOf(name)
      const newest = [...new Map(pages.map((page) => [urlKey(page.url), page]))]
      const jsons = await thread.jsons(
        newest.map(([, page]) => page),
        AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
      )
      await writePages(tables, team, new Map(newest.map(([key], index) => [key, jsons[index]!])))
      await trimPages(tables, team, { ...options, now: now() })
      if (now() - sweptAt >= times.sweep) sweeping = sweep(tables)
    },
    /** Resolves when no pages are being deleted. */
    swept: () => sweeping,
  }
}
