// The index of pages in Postgres, which several servers share.
import { hash } from 'node:crypto'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { searchUnavailable } from '../faults.ts'
import type { IndexBackend } from './backend.ts'
import { findingIn, type Finding } from './finding.ts'
import type { IndexedPage } from './rows.ts'
import { runnerOf, vectorProblem, type PostgresQueries } from './postgres-connection.ts'
import { sweepPages, trimPages, urlKey, writePages, type PageLimits } from './postgres-pages.ts'
import { postgresRows } from './postgres-search.ts'
import { setUp } from './postgres-tables.ts'
import { vectorRows, type VectorRows } from './postgres-vectors.ts'

export interface PostgresOptions extends PageLimits {
  readonly connection: PostgresQueries
  /** Name of the schema. */
  readonly schema: string
  /** Maximum number of vectors per team. */
  readonly vectors: number
  /** Whether there is an embedding model. */
  readonly isHybrid: boolean
  now(): number
  warn(message: string): void
}

// Maximum number of queued pages, pages in one statement, and times in milliseconds.
const most = { queued: 500, written: 50, gathering: 250, sweep: 3_600_000 }

/**
 * Creates an index in Postgres. Its tables are created when they are first needed. Without the extension `vector` (pgvector),
 * pages are found by their words only, with a warning. Calls reject with `search_unavailable` if Postgres fails.
 */
export function postgresBackend(options: PostgresOptions): IndexBackend {
  const { connection, schema, vectors: limit, isHybrid, life, warn } = options
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema)) throw new TypeError(schemaProblem(schema))
  const run = runnerOf(connection)
  let opening: Promise<VectorRows | undefined> | undefined
  const setUpTables = async (): Promise<VectorRows | undefined> => {
    const problem = isHybrid ? await vectorProblem(run) : undefined
    if (problem !== undefined) warn(problem)
    const hasVectors = isHybrid && problem === undefined
    await run(setUp(schema, hasVectors))
    return hasVectors ? vectorRows(run, schema, limit) : undefined
  }
  const open = async (): Promise<VectorRows | undefined> => {
    opening ??= setUpTables()
    try {
      return await opening
    } catch (error) {
      // The next call tries again.
      opening = undefined
      throw error
    }
  }
  const queue = makeQueue({ ...options, write: makeWriter(options, open) })
  const search = async (team: string, signal: AbortSignal): Promise<Finding> => {
    await untilAborted(queue.written(), signal)
    const vectors = await untilAborted(open(), signal)
    return findingIn(postgresRows({ run, schema, team: keyOf(team), vectors }), life)
  }
  return {
    put: queue.put,
    find: async (asked, signal) => untilAborted((await search(asked.query.team, signal)).find(asked, signal), signal),
    passages: async (asked, signal) =>
      untilAborted((await search(asked.query.team, signal)).passages(asked, signal), signal),
    pending: async (wanted, signal) => {
      await untilAborted(queue.written(), signal)
      return (await untilAborted(open(), signal))?.pending({ ...wanted, team: keyOf(wanted.team) }) ?? []
    },
    store: async (vectors) => (await open())?.store({ ...vectors, team: keyOf(vectors.team) }),
    forget: async ({ team, url }) => {
      await queue.written()
      const vectors = await open()
      await run(`DELETE FROM ${schema}.pages WHERE team = $1 AND ($2::text IS NULL OR key = $2)`, [
        keyOf(team),
        url === undefined ? null : urlKey(url),
      ])
      await vectors?.dropUnused(keyOf(team))
    },
    close: () => queue.written(),
  }
}

/** Hashes the name of a team, which may have characters that Postgres cannot store. */
function keyOf(team: string): string {
  return hash('sha256', team, 'base64')
}

function schemaProblem(schema: string): string {
  return `postgres.schema ${JSON.stringify(schema)} is not a valid name. Use lowercase letters, digits and underscores.`
}

type Write = (team: string, pages: readonly IndexedPage[]) => Promise<void>

function makeWriter(
  { connection, schema, now, ...limits }: PostgresOptions,
  open: () => Promise<VectorRows | undefined>,
): Write {
  const run = runnerOf(connection)
  const never = new AbortController().signal
  let swept = -Infinity
  return async (name, pages) => {
    const vectors = await open()
    const team = keyOf(name)
    await writePages(run, { schema, team, hasVectors: vectors !== undefined }, pages, never)
    const isTrimmed = await trimPages(run, schema, { ...limits, team, now: now() })
    if (isTrimmed) await vectors?.dropUnused(team)
    if (now() - swept < most.sweep) return
    swept = now()
    await sweepPages(run, schema, now() - limits.life)
  }
}

/** Gathers pages, and writes those of each team together. A page that cannot be written is reported as a warning. */
function makeQueue({ warn, write }: Pick<PostgresOptions, 'warn'> & { readonly write: Write }) {
  const sequence = makeSequence()
  let queued: { readonly team: string; readonly page: IndexedPage }[] = []
  let pending = 0
  let timer: NodeJS.Timeout | undefined
  const writeAll = async (taken: typeof queued): Promise<void> => {
    for (const [team, own] of Map.groupBy(taken, (one) => one.team))
      for (let at = 0; at < own.length; at += most.written) {
        const part = own.slice(at, at + most.written)
        try {
          await write(
            team,
            part.map(({ page }) => page),
          )
        } catch (error) {
          warn(`Pages could not be put into the index: ${errorMessage(error)}`)
        } finally {
          pending -= part.length
        }
      }
  }
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const taken = queued
    queued = []
    if (taken.length > 0) void sequence.run(() => writeAll(taken))
  }
  return {
    put: async (team: string, page: IndexedPage): Promise<void> => {
      if (pending >= most.queued)
        throw searchUnavailable('busy', 'The index of pages is behind, and this page is not in it.')
      pending += 1
      queued.push({ team, page })
      timer ??= setTimeout(flush, most.gathering)
    },
    /** Resolves when all pages so far are written. */
    written: async (): Promise<void> => {
      flush()
      await sequence.idle()
    },
  }
}
